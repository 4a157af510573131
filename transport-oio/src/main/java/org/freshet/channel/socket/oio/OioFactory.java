package org.freshet.channel.socket.oio;

import static org.freshet.channel.Channels.fireChannelOpen;

import org.freshet.channel.ChannelFactory;

/** The common part of this transport's factories: their live channels and the shutdown. Any thread may call it. */
abstract class OioFactory implements ChannelFactory {
    private final ThreadStarter[] threads;
    private final LiveChannels live;

    /** @param threads the threads that the channels run on, in the order of their release */
    OioFactory(String role, ThreadStarter... threads) {
        live = new LiveChannels(role);
        this.threads = threads;
    }

    final LiveChannels live() {
        return live;
    }

    /** Makes the opening the channel's first event. After the shutdown, the channel is closed instead. */
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
     * Closes every channel, including accepted ones, and waits until their threads have ended. An executor that you
     * passed is not shut down.
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

    /** Same as {@link #shutdown()}, and then shuts down the executors that are executor services. */
    @Override
    public void releaseExternalResources() {
        live.closeAll();
        for (ThreadStarter starter : threads) {
            starter.release();
        }
    }
}
