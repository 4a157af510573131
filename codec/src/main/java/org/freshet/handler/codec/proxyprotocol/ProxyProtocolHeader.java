package org.freshet.handler.codec.proxyprotocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.freshet.buffer.ByteString;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.OriginalAddress;
import org.freshet.handler.codec.frame.CorruptedFrameException;

/**
 * What a proxy says of a connection that it passes on.
 *
 * <pre>{@code
 * ProxyProtocolHeader header = ProxyProtocolHeader.of(channel);
 * String server = header == null ? null : header.authority();
 * }</pre>
 *
 * <p>The addresses are the proxy's word. The TLVs for ALPN, authority and the name in a certificate are the client's, passed on: check
 * them like any input. Immutable; any thread.
 *
 * @param isLocal whether the connection is the proxy's own, such as a health check, so that it has no other ends
 * @param source where the client is: an {@link InetSocketAddress} or a {@link UnixDomainSocketAddress}; null if the connection is the
 *     proxy's own, or if the proxy doesn't know
 * @param destination what the client connected to, of the same class; null if the source is
 * @param tlvs values by type; those received are the ones that {@link ProxyProtocolSettings#withTlvs} asks for
 */
public record ProxyProtocolHeader(
        boolean isLocal, SocketAddress source, SocketAddress destination, Map<Integer, ByteString> tlvs) {
    private static final ChannelLocal<ProxyProtocolHeader> RECEIVED = new ChannelLocal<>();

    /** @throws IllegalArgumentException if the addresses or a TLV's type cannot be in a header */
    public ProxyProtocolHeader {
        boolean areInet = isResolved(source) && isResolved(destination);
        boolean areUnix = source instanceof UnixDomainSocketAddress && destination instanceof UnixDomainSocketAddress;
        boolean isUnknown = source == null && destination == null;
        if (!isUnknown && (isLocal || !areInet && !areUnix)) {
            throw new IllegalArgumentException(
                    "not the ends of a connection that is passed on: " + source + " and " + destination);
        }
        tlvs.keySet().forEach(ProxyProtocolTlv::check);
        tlvs = tlvs.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(tlvs));
    }

    private static boolean isResolved(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved();
    }

    /** A header for connections of the proxy's own, such as health checks. */
    public static ProxyProtocolHeader local() {
        return new ProxyProtocolHeader(true, null, null, Map.of());
    }

    /**
     * A header for a connection that is passed on.
     *
     * @param source where the client is, resolved; null if it isn't known
     * @param destination what the client connected to; null if the source is
     * @throws IllegalArgumentException if these aren't two resolved IP addresses, or two addresses of Unix domain sockets
     */
    public static ProxyProtocolHeader proxied(SocketAddress source, SocketAddress destination) {
        return new ProxyProtocolHeader(false, source, destination, Map.of());
    }

    /** A header that passes a client's connection on, with what is known of its ends ({@link OriginalAddress}) and no TLVs. */
    public static ProxyProtocolHeader forwarding(Channel client) {
        SocketAddress source = OriginalAddress.of(client);
        SocketAddress destination = OriginalAddress.destinationOf(client);
        boolean areInet = isResolved(source) && isResolved(destination);
        boolean areUnix = source instanceof UnixDomainSocketAddress && destination instanceof UnixDomainSocketAddress;
        return areInet || areUnix ? proxied(source, destination) : proxied(null, null);
    }

    /**
     * Returns what was received on a connection, or for a channel within one, such as a stream of HTTP/2, on that.
     *
     * @return null if there was no header
     */
    public static ProxyProtocolHeader of(Channel channel) {
        for (Channel asked = Objects.requireNonNull(channel, "channel"); asked != null; asked = asked.getParent()) {
            ProxyProtocolHeader received = RECEIVED.get(asked);
            if (received != null) {
                return received;
            }
        }
        return null;
    }

    void keep(Channel channel) {
        RECEIVED.set(channel, this);
    }

    /**
     * Returns a header with one more TLV, or another value of one. Version 1 doesn't send them.
     *
     * @param type 0 to 255, but neither {@link ProxyProtocolTlv#CRC32C} nor {@link ProxyProtocolTlv#NOOP}
     */
    public ProxyProtocolHeader withTlv(int type, ByteString value) {
        Map<Integer, ByteString> more = new TreeMap<>(tlvs);
        more.put(type, Objects.requireNonNull(value, "value"));
        return new ProxyProtocolHeader(isLocal, source, destination, more);
    }

    /** Returns the protocol that the client and the proxy chose by ALPN; null if the header doesn't say. */
    public String alpn() {
        return text(ProxyProtocolTlv.ALPN);
    }

    /** Returns the host name that the client asked the proxy for; null if the header doesn't say. */
    public String authority() {
        return text(ProxyProtocolTlv.AUTHORITY);
    }

    /** Returns what the proxy calls the connection; null if the header doesn't say. */
    public ByteString uniqueId() {
        return tlvs.get(ProxyProtocolTlv.UNIQUE_ID);
    }

    private String text(int type) {
        ByteString value = tlvs.get(type);
        return value == null ? null : value.toString(UTF_8);
    }

    /**
     * Returns how the client speaks TLS with the proxy; null if the header doesn't say.
     *
     * @throws IllegalStateException if the value is malformed; never for a header that was received
     */
    public ProxyProtocolTls tls() {
        ByteString value = tlvs.get(ProxyProtocolTlv.SSL);
        try {
            return value == null ? null : ProxyProtocolTls.parse(value);
        } catch (CorruptedFrameException e) {
            throw new IllegalStateException("a malformed TLV for TLS", e);
        }
    }
}
