package org.freshet.channel.socket.nio;

import java.nio.channels.SelectionKey;

/** What a loop knows of the things it carries, be they channels or connect attempts. All methods run on the loop. */
interface LoopChannel {
    /** The loop ends: close, fail everything outstanding, fire the closing events. */
    void onLoopStopping();

    /** The channel's socket now answers to another key, because its selector was rebuilt. */
    void onKeyChanged(SelectionKey key);
}
