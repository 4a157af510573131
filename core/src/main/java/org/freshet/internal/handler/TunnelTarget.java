package org.freshet.internal.handler;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelLocal;

/**
 * The far end of a channel that is tunnelled through a proxy. The channel's own remote address is the proxy's. Any thread may call any
 * method.
 */
public final class TunnelTarget {
    /** @param proxyTls see {@link #securesOnlyProxy} */
    private record Tunnel(InetSocketAddress target, ChannelHandler proxyTls) {}

    private static final ChannelLocal<Tunnel> TUNNELS = new ChannelLocal<>();

    private TunnelTarget() {}

    /**
     * Call this when the tunnel is established. With nested tunnels, the last one set is the innermost.
     *
     * @param proxyTls the TLS handler of the connection to this proxy; null without TLS, and then that of an outer tunnel still counts
     */
    public static void set(Channel channel, InetSocketAddress target, ChannelHandler proxyTls) {
        Tunnel outer = TUNNELS.get(channel);
        ChannelHandler tls = proxyTls == null && outer != null ? outer.proxyTls : proxyTls;
        TUNNELS.set(channel, new Tunnel(target, tls));
    }

    /** Null if the channel isn't tunnelled. */
    public static InetSocketAddress of(Channel channel) {
        Tunnel tunnel = TUNNELS.get(channel);
        return tunnel == null ? null : tunnel.target;
    }

    /** Whether a handler secures the connection as far as the last proxy, but not that to the server behind it. */
    static boolean securesOnlyProxy(Channel channel, ChannelHandler handler) {
        Tunnel tunnel = TUNNELS.get(channel);
        return tunnel != null && tunnel.proxyTls == handler;
    }
}
