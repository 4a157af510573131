package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * A set of networks, such as those of the proxies a server trusts. Immutable; any thread may use it.
 *
 * <pre>{@code
 * IpNetworks balancers = IpNetworks.of("10.0.0.0/8", "2001:db8::/32");
 * }</pre>
 */
public final class IpNetworks implements IpSet {
    private final List<CIDR> blocks;

    private IpNetworks(List<CIDR> blocks) {
        this.blocks = blocks;
    }

    /**
     * Parses networks in the syntax of {@link CIDR#newCIDR(String)}.
     *
     * @param networks for example {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}; at least one
     * @throws IllegalArgumentException if the list is empty, or an entry is not a network
     */
    public static IpNetworks of(String... networks) {
        if (networks.length == 0) {
            throw new IllegalArgumentException("at least one network is needed");
        }
        return new IpNetworks(Arrays.stream(networks).map(IpNetworks::parse).toList());
    }

    /**
     * Parses one network.
     *
     * @throws IllegalArgumentException if the text is not a network
     */
    public static CIDR parse(String network) {
        try {
            return CIDR.newCIDR(network);
        } catch (UnknownHostException | RuntimeException e) {
            throw new IllegalArgumentException("not a network: " + network, e);
        }
    }

    /** Returns whether the address is in one of the networks. An IPv4-mapped IPv6 address counts as IPv4. */
    @Override
    public boolean contains(InetAddress address) {
        for (CIDR block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the address of a channel is in one of the networks.
     *
     * @param address may be null; returns false if it is null, unresolved or not an IP address
     */
    public boolean contains(SocketAddress address) {
        InetAddress ip = address instanceof InetSocketAddress inet ? inet.getAddress() : null;
        return ip != null && contains(ip);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpNetworks networks && networks.blocks.equals(blocks);
    }

    @Override
    public int hashCode() {
        return blocks.hashCode();
    }

    /** For example {@code [10.0.0.0/8, 2001:db8::/32]}. */
    @Override
    public String toString() {
        return blocks.toString();
    }
}
