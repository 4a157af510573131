package org.freshet.internal.handler;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * The far end of a channel that is tunnelled through a proxy. The channel's own remote address is the proxy's. Any thread may call any
 * method.
 */
public final class TunnelTarget {
    private static final ChannelLocal<InetSocketAddress> TARGETS = new ChannelLocal<>();

    private TunnelTarget() {}

    /** Call this when the tunnel is established. With nested tunnels, the last one set is the innermost. */
    public static void set(Channel channel, InetSocketAddress target) {
        TARGETS.set(channel, target);
    }

    /** Null if the channel isn't tunnelled. */
    public static InetSocketAddress of(Channel channel) {
        return TARGETS.get(channel);
    }
}
