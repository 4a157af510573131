package org.freshet.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;

/**
 * The ends of the connection that a client made, for a server behind a load balancer: its own connections come from the balancer. {@link
 * Channel#getRemoteAddress()} stays the balancer's.
 *
 * <pre>{@code
 * SocketAddress client = OriginalAddress.of(channel);
 * }</pre>
 *
 * <p>A {@code ProxyProtocolDecoder} sets it before the handlers after it receive {@code channelConnected}. Filters of addresses that come
 * after it, {@code AcceptGuard}, the access log, {@code RequestSource}, {@code MdcScope} and {@code Explain} go by it. HTTP's forwarded
 * headers don't change it, because a proxy sends the requests of many clients on one connection: {@code RequestSource} has the client of
 * a request.
 *
 * <p>Any thread may ask.
 */
public final class OriginalAddress {
    /** @param destination null if it isn't known */
    private record Ends(SocketAddress source, SocketAddress destination) {}

    private static final ChannelLocal<Ends> ENDS = new ChannelLocal<>();

    private OriginalAddress() {}

    /**
     * Returns the client's address: what a trusted proxy has said, or else the channel's remote address. For a channel within a connection,
     * such as a stream of HTTP/2, the connection's.
     *
     * @return null if there is neither
     */
    public static SocketAddress of(Channel channel) {
        Ends known = ends(channel);
        return known == null ? channel.getRemoteAddress() : known.source;
    }

    /**
     * Returns the address that the client connected to: what a trusted proxy has said, or else the channel's local address.
     *
     * @return null if there is neither
     */
    public static SocketAddress destinationOf(Channel channel) {
        Ends known = ends(channel);
        return known == null || known.destination == null ? channel.getLocalAddress() : known.destination;
    }

    /** Returns whether a trusted proxy has said where the connection came from. */
    public static boolean isKnown(Channel channel) {
        return ends(channel) != null;
    }

    private static Ends ends(Channel channel) {
        for (Channel asked = Objects.requireNonNull(channel, "channel"); asked != null; asked = asked.getParent()) {
            Ends known = ENDS.get(asked);
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    /**
     * Sets the ends. For a decoder that learns them from a proxy and has made sure that the proxy can be trusted. From now on the connection
     * counts for {@code source} in the limits per address of its server and its {@code AcceptGuard}, and no longer for the proxy.
     *
     * <p>Call it on the channel's I/O thread.
     *
     * @param source the client's address; one that is no IP address isn't counted
     * @param destination null if it isn't known
     * @return false if the client's address has as many connections as it may have: then close the channel
     */
    public static boolean set(Channel channel, SocketAddress source, SocketAddress destination) {
        ENDS.set(channel, new Ends(Objects.requireNonNull(source, "source"), destination));
        return !(channel instanceof AbstractChannel own) || own.countFor(ipOf(source));
    }

    private static InetAddress ipOf(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
