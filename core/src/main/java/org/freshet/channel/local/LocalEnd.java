package org.freshet.channel.local;

/** A channel as seen by its factory. */
interface LocalEnd {
    /** Closes the channel, bypassing its handlers. Any thread may call this. */
    void onShutdown();
}
