package org.freshet.microbench.channel;

import io.netty.channel.Channel;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.local.LocalChannel;

/** A Netty 4.2 channel without a transport: a local one whose loop accepts every thread as its own. */
public final class Netty4Channel {
    private Netty4Channel() {}

    /** Returns a registered channel with an empty pipeline. */
    public static Channel create() {
        LocalChannel channel = new LocalChannel();
        new AnyThreadLoop().register(channel);
        return channel;
    }

    private static final class AnyThreadLoop extends DefaultEventLoop {
        @Override
        public boolean inEventLoop(Thread thread) {
            return true;
        }
    }
}
