package org.freshet.channel;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;

/**
 * The ends of the connection that a client made, for a server behind a load balancer. The server's own connections come from the balancer,
 * and {@link Channel#getRemoteAddress()} remains the balancer's address.
 *
 * <pre>{@code
 * SocketAddress client = OriginalAddress.of(channel);
 * }</pre>
 *
 * <p>A {@code ProxyProtocolDecoder} sets it before the handlers after it receive {@code channelConnected}. Address filters after the
 * decoder, {@code AcceptGuard}, the access log, {@code RequestSource}, {@code MdcScope} and {@code Explain} use it. HTTP's forwarded
 * headers don't change it, because a proxy sends the requests of many clients on one connection; use {@code RequestSource} for the client
 * of a request.
 *
 * <p>Any thread may read it.
 */
public final class OriginalAddress {
    /**
     * @param destination null if unknown
     */
    private record Ends(SocketAddress source, SocketAddress destination) {}

    private static final ChannelLocal<Ends> ENDS = new ChannelLocal<>();

    private OriginalAddress() {}

    /**
     * Returns the client's address: the one a trusted proxy has named, or else the channel's remote address. For a channel within a
     * connection, such as an HTTP/2 stream, that is the connection's.
     *
     * @return null if there is neither
     */
    public static SocketAddress of(Channel channel) {
        Ends known = ends(channel);
        return known == null ? channel.getRemoteAddress() : known.source;
    }

    /**
     * Returns the address that the client connected to: the one a trusted proxy has named, or else the channel's local address.
     *
     * @return null if there is neither
     */
    public static SocketAddress destinationOf(Channel channel) {
        Ends known = ends(channel);
        return known == null || known.destination == null ? channel.getLocalAddress() : known.destination;
    }

    /** Returns whether a trusted proxy has named the client's address. */
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
     * Sets the ends. For a decoder that learns them from a proxy and has verified that the proxy can be trusted. From then on the
     * connection counts for {@code source} instead of the proxy, in the limits per address of its server and its {@code AcceptGuard}.
     *
     * <p>Call it on the channel's I/O thread.
     *
     * @param source the client's address; it isn't counted if it is not an IP address
     * @param destination null if unknown
     * @return false if the client's address has reached its limit of connections; close the channel then
     */
    public static boolean set(Channel channel, SocketAddress source, SocketAddress destination) {
        ENDS.set(channel, new Ends(Objects.requireNonNull(source, "source"), destination));
        return !(channel instanceof AbstractChannel own) || own.countFor(ipOf(source));
    }

    private static InetAddress ipOf(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
