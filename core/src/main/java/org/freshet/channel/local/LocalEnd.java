package org.freshet.channel.local;

/** What a channel is to its factory. */
interface LocalEnd {
    /** Closes the channel, past its handlers. Any thread. */
    void onShutdown();
}
