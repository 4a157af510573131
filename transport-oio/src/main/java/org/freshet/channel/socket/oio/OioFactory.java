package org.freshet.channel.socket.oio;

import static org.freshet.channel.Channels.fireChannelOpen;

import org.freshet.channel.ChannelFactory;

/** What the factories of this transport share: the channels that they have made, and the end. Any thread. */
abstract class OioFactory implements ChannelFactory {
    private final ThreadStarter[] threads;
    private final LiveChannels live;

    /** @param threads what the channels run on, in the order in which it is let go */
    OioFactory(String role, ThreadStarter... threads) {
        live = new LiveChannels(role);
        this.threads = threads;
    }

    final LiveChannels live() {
        return live;
    }

    /** Has the channel's opening be its first event. After the shutdown, the channel is closed instead. */
    final <C extends LiveChannels.Member> C opened(C channel) {
        live.counters().belongTo(this);
        if (live.add(channel)) {
            channel.serialExecutor().execute(() -> fireChannelOpen(channel));
        } else {
            channel.refuseOpen();
        }
        return channel;
    }

    /**
     * Closes every channel, also those that were accepted, and waits until their threads have ended; an executor that the user gave lives on.
     *
     * @throws IllegalStateException if the caller is the I/O thread of one of the channels
     */
    @Override
    public void shutdown() {
        live.closeAll();
        for (ThreadStarter starter : threads) {
            starter.releaseOwned();
        }
    }

    /** Does what {@link #shutdown()} does, and then shuts the executors down, where they are executor services. */
    @Override
    public void releaseExternalResources() {
        live.closeAll();
        for (ThreadStarter starter : threads) {
            starter.release();
        }
    }
}
