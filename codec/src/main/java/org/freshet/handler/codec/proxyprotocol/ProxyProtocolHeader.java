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
 * A PROXY protocol header: a proxy's statement about a connection it forwards.
 *
 * <pre>{@code
 * ProxyProtocolHeader header = ProxyProtocolHeader.of(channel);
 * String server = header == null ? null : header.authority();
 * }</pre>
 *
 * <p>The addresses come from the proxy. The TLVs for ALPN, authority and the name in a certificate come from the client
 * through the proxy: check them like any input. Immutable; any thread.
 *
 * @param isLocal whether the connection is the proxy's own, such as a health check; it then has no addresses
 * @param source the client's address: an {@link InetSocketAddress} or a {@link UnixDomainSocketAddress}; null if the
 *     connection is the proxy's own, or if the proxy doesn't know
 * @param destination the address that the client connected to, of the same class; null if the source is null
 * @param tlvs values by type; a received header has only those selected with {@link ProxyProtocolSettings#withTlvs}
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
                    "not the addresses of a forwarded connection: " + source + " and " + destination);
        }
        tlvs.keySet().forEach(ProxyProtocolTlv::check);
        tlvs = tlvs.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(tlvs));
    }

    private static boolean isResolved(SocketAddress address) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved();
    }

    /** Returns a header for the proxy's own connections, such as health checks. */
    public static ProxyProtocolHeader local() {
        return new ProxyProtocolHeader(true, null, null, Map.of());
    }

    /**
     * Returns a header for a forwarded connection.
     *
     * @param source the client's address, resolved; null if it isn't known
     * @param destination the address that the client connected to; null if the source is null
     * @throws IllegalArgumentException if these aren't two resolved IP addresses, or two addresses of Unix domain
     *     sockets
     */
    public static ProxyProtocolHeader proxied(SocketAddress source, SocketAddress destination) {
        return new ProxyProtocolHeader(false, source, destination, Map.of());
    }

    /**
     * Returns a header for forwarding a client's connection, with the addresses known for it ({@link OriginalAddress})
     * and no TLVs.
     */
    public static ProxyProtocolHeader forwarding(Channel client) {
        SocketAddress source = OriginalAddress.of(client);
        SocketAddress destination = OriginalAddress.destinationOf(client);
        boolean areInet = isResolved(source) && isResolved(destination);
        boolean areUnix = source instanceof UnixDomainSocketAddress && destination instanceof UnixDomainSocketAddress;
        return areInet || areUnix ? proxied(source, destination) : proxied(null, null);
    }

    /**
     * Returns the header received on a connection. For a channel within a connection, such as an HTTP/2 stream, returns
     * the connection's header.
     *
     * @return null if no header was received
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
     * Returns a copy of this header with a TLV added or its value replaced. Version 1 doesn't send TLVs.
     *
     * @param type 0 to 255, but neither {@link ProxyProtocolTlv#CRC32C} nor {@link ProxyProtocolTlv#NOOP}
     */
    public ProxyProtocolHeader withTlv(int type, ByteString value) {
        Map<Integer, ByteString> more = new TreeMap<>(tlvs);
        more.put(type, Objects.requireNonNull(value, "value"));
        return new ProxyProtocolHeader(isLocal, source, destination, more);
    }

    /** Returns the protocol that the client and the proxy chose with ALPN; null if the header doesn't say. */
    public String alpn() {
        return text(ProxyProtocolTlv.ALPN);
    }

    /** Returns the host name that the client asked the proxy for; null if the header doesn't say. */
    public String authority() {
        return text(ProxyProtocolTlv.AUTHORITY);
    }

    /** Returns the proxy's identifier of the connection; null if the header doesn't say. */
    public ByteString uniqueId() {
        return tlvs.get(ProxyProtocolTlv.UNIQUE_ID);
    }

    private String text(int type) {
        ByteString value = tlvs.get(type);
        return value == null ? null : value.toString(UTF_8);
    }

    /**
     * Returns details of the client's TLS connection to the proxy; null if the header doesn't say.
     *
     * @throws IllegalStateException if the value is malformed; never for a received header
     */
    public ProxyProtocolTls tls() {
        ByteString value = tlvs.get(ProxyProtocolTlv.SSL);
        try {
            return value == null ? null : ProxyProtocolTls.parse(value);
        } catch (CorruptedFrameException e) {
            throw new IllegalStateException("malformed TLV for TLS", e);
        }
    }
}
