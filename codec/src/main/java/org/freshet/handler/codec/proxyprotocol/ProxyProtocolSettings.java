package org.freshet.handler.codec.proxyprotocol;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.freshet.handler.ipfilter.IpNetworks;
import org.freshet.internal.time.Durations;

/**
 * Configures which peers' PROXY protocol headers a server trusts, and the limits for a header.
 *
 * <pre>{@code
 * ProxyProtocolSettings settings = ProxyProtocolSettings.trusting("10.0.0.0/8")
 *         .withTlvs(ProxyProtocolTlv.AUTHORITY, ProxyProtocolTlv.SSL);
 * }</pre>
 *
 * <p>Immutable; any thread.
 */
public final class ProxyProtocolSettings {
    /** The default of {@link #withMaxBytes}: fits in one segment over any path. */
    public static final int DEFAULT_MAX_BYTES = 536;

    /** The default of {@link #withTimeout}: enough time to resend a lost segment. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final IpNetworks networks;
    private final boolean trustsOthers;
    private final Duration timeout;
    private final int maxBytes;

    /** Indexed by type. */
    private final boolean[] kept;

    private ProxyProtocolSettings(
            IpNetworks networks, boolean trustsOthers, Duration timeout, int maxBytes, boolean[] kept) {
        this.networks = networks;
        this.trustsOthers = trustsOthers;
        this.timeout = timeout;
        this.maxBytes = maxBytes;
        this.kept = kept;
    }

    /**
     * Trusts the peers in these networks, and closes the connections of all others.
     *
     * @param networks the networks of the proxies, such as {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}. Clients
     *     mustn't be able to connect from them
     * @throws IllegalArgumentException if no network is given, or if one is invalid
     */
    public static ProxyProtocolSettings trusting(String... networks) {
        return trusting(IpNetworks.of(networks));
    }

    /** Trusts the peers in these networks, and closes the connections of all others. */
    public static ProxyProtocolSettings trusting(IpNetworks networks) {
        return new ProxyProtocolSettings(
                Objects.requireNonNull(networks, "networks"),
                false,
                DEFAULT_TIMEOUT,
                DEFAULT_MAX_BYTES,
                new boolean[ProxyProtocolTlv.MAX_TYPE + 1]);
    }

    /**
     * Also trusts peers that have no IP address: those of the local transport and of Unix domain sockets. For the
     * latter, the permissions of the file decide who can connect. By default their connections are closed.
     */
    public ProxyProtocolSettings withNonIpPeers() {
        return new ProxyProtocolSettings(networks, true, timeout, maxBytes, kept);
    }

    /**
     * Sets the time limit for the header, measured from when the proxy connects.
     *
     * @param timeout more than 0; allow at least 3 seconds for a lost segment; 5 seconds by default
     */
    public ProxyProtocolSettings withTimeout(Duration timeout) {
        return new ProxyProtocolSettings(
                networks, trustsOthers, Durations.positive("timeout", timeout), maxBytes, kept);
    }

    /**
     * Sets the maximum length of a header, TLVs included. A longer one is refused as soon as its length is known. A
     * version 1 line is never longer than 107 bytes.
     *
     * @param maxBytes 107 to 65,551; 536 by default
     */
    public ProxyProtocolSettings withMaxBytes(int maxBytes) {
        if (maxBytes < HeaderReader.MAX_LINE_BYTES || maxBytes > HeaderReader.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "maxBytes < " + HeaderReader.MAX_LINE_BYTES + " or > " + HeaderReader.MAX_BYTES + ": " + maxBytes);
        }
        return new ProxyProtocolSettings(networks, trustsOthers, timeout, maxBytes, kept);
    }

    /**
     * Selects the TLV types to keep; none by default. Other TLVs are skipped and take no memory.
     *
     * @param types such as {@link ProxyProtocolTlv#AUTHORITY}; 0 to 255
     */
    public ProxyProtocolSettings withTlvs(int... types) {
        boolean[] chosen = new boolean[kept.length];
        for (int type : types) {
            chosen[ProxyProtocolTlv.check(type)] = true;
        }
        return new ProxyProtocolSettings(networks, trustsOthers, timeout, maxBytes, chosen);
    }

    /** Returns the limit set with {@link #withTimeout}. */
    public Duration timeout() {
        return timeout;
    }

    /** Returns the limit set with {@link #withMaxBytes}. */
    public int maxBytes() {
        return maxBytes;
    }

    /** Returns whether TLVs of a type are kept, see {@link #withTlvs}. */
    public boolean keepsTlv(int type) {
        return kept[type];
    }

    /**
     * Returns whether a peer is trusted.
     *
     * @param peer null, for an unknown address, is never trusted
     */
    public boolean trusts(SocketAddress peer) {
        return peer instanceof InetSocketAddress ? networks.contains(peer) : peer != null && trustsOthers;
    }
}
