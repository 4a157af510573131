package org.freshet.handler.codec.proxyprotocol;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.freshet.handler.ipfilter.IpNetworks;
import org.freshet.internal.time.Durations;

/**
 * Whose PROXY protocol headers a server believes, and within which limits.
 *
 * <pre>{@code
 * ProxyProtocolSettings settings = ProxyProtocolSettings.trusting("10.0.0.0/8")
 *         .withTlvs(ProxyProtocolTlv.AUTHORITY, ProxyProtocolTlv.SSL);
 * }</pre>
 *
 * <p>Immutable; any thread.
 */
public final class ProxyProtocolSettings {
    /** The default of {@link #withMaxBytes}: what fits in one segment over any path. */
    public static final int DEFAULT_MAX_BYTES = 536;

    /** The default of {@link #withTimeout}: enough for a lost segment to be sent again. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    private final IpNetworks networks;
    private final boolean trustsOthers;
    private final Duration timeout;
    private final int maxBytes;

    /** By type. */
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
     * Believes the peers in these networks, and closes the connections of all others.
     *
     * @param networks of the proxies, as in {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}. Clients mustn't be able to connect from them
     * @throws IllegalArgumentException if there are none, or if one is not a network
     */
    public static ProxyProtocolSettings trusting(String... networks) {
        return trusting(IpNetworks.of(networks));
    }

    /** Believes the peers in these networks, and closes the connections of all others. */
    public static ProxyProtocolSettings trusting(IpNetworks networks) {
        return new ProxyProtocolSettings(
                Objects.requireNonNull(networks, "networks"),
                false,
                DEFAULT_TIMEOUT,
                DEFAULT_MAX_BYTES,
                new boolean[ProxyProtocolTlv.MAX_TYPE + 1]);
    }

    /**
     * Also believes peers that have no IP address: those of the local transport, and of Unix domain sockets, where the permissions of the
     * file say who can connect. By default their connections are closed.
     */
    public ProxyProtocolSettings withPeersWithoutIp() {
        return new ProxyProtocolSettings(networks, true, timeout, maxBytes, kept);
    }

    /**
     * How long a proxy may take to send the header, from when it is connected.
     *
     * @param timeout more than 0, 3 seconds or more to allow for a lost segment; 5 seconds by default
     */
    public ProxyProtocolSettings withTimeout(Duration timeout) {
        return new ProxyProtocolSettings(
                networks, trustsOthers, Durations.positive("timeout", timeout), maxBytes, kept);
    }

    /**
     * How long a header may be, TLVs included. A longer one is refused as soon as it says how long it is. The line of version 1 is never
     * longer than 107 bytes.
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
     * Keeps the TLVs of these types, and of no others; none by default. Those that aren't kept are skipped, and take no memory.
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

    /** See {@link #withTimeout}. */
    public Duration timeout() {
        return timeout;
    }

    /** See {@link #withMaxBytes}. */
    public int maxBytes() {
        return maxBytes;
    }

    /** Returns whether TLVs of a type are kept, see {@link #withTlvs}. */
    public boolean keepsTlv(int type) {
        return kept[type];
    }

    /**
     * Returns whether a peer is believed.
     *
     * @param peer null, for an address that isn't known, is never believed
     */
    public boolean trusts(SocketAddress peer) {
        return peer instanceof InetSocketAddress ? networks.contains(peer) : peer != null && trustsOthers;
    }
}
