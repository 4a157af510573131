package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Some networks, such as those of the proxies that a server trusts. Immutable; any thread.
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
     * Reads networks as {@link CIDR#newCIDR(String)} does.
     *
     * @param networks as in {@code "10.0.0.0/8"} or {@code "192.0.2.1/32"}; at least one
     * @throws IllegalArgumentException if there are none, or if one is not a network
     */
    public static IpNetworks of(String... networks) {
        if (networks.length == 0) {
            throw new IllegalArgumentException("no networks");
        }
        return new IpNetworks(Arrays.stream(networks).map(IpNetworks::parse).toList());
    }

    /**
     * Reads one network.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static CIDR parse(String network) {
        try {
            return CIDR.newCIDR(network);
        } catch (UnknownHostException | RuntimeException e) {
            throw new IllegalArgumentException("not a network: " + network, e);
        }
    }

    /** Returns whether the address lies in one of the networks. An IPv4-mapped IPv6 address counts as IPv4. */
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
     * Returns whether the address of a channel lies in one of the networks.
     *
     * @param address may be null; false for one that is no IP address, or is unresolved
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

    /** Such as {@code [10.0.0.0/8, 2001:db8::/32]}. */
    @Override
    public String toString() {
        return blocks.toString();
    }
}
