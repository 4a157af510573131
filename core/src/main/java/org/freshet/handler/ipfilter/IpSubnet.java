package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.Objects;

/** A block of addresses of one kind, or all addresses of both. Immutable. */
public class IpSubnet implements IpSet, Comparable<IpSubnet> {
    private static final Comparator<CIDR> ALL_LAST = Comparator.nullsLast(Comparator.naturalOrder());

    /** Null means all addresses. */
    private final CIDR block;

    /** Contains all addresses, IPv4 and IPv6. */
    public IpSubnet() {
        this.block = null;
    }

    /**
     * Parses a block in the syntax of {@link CIDR#newCIDR(String)}.
     *
     * @throws UnknownHostException if the text is not a block
     */
    public IpSubnet(String netAddress) throws UnknownHostException {
        this.block = CIDR.newCIDR(netAddress);
    }

    /**
     * Creates the block of a given size that contains an address.
     *
     * @param cidrNetMask the length of the prefix in bits, from 0 to 32 for IPv4 or to 128 for IPv6
     * @throws UnknownHostException if the length is outside that range
     */
    public IpSubnet(InetAddress inetAddress, int cidrNetMask) throws UnknownHostException {
        this.block = CIDR.newCIDR(inetAddress, cidrNetMask);
    }

    /**
     * Creates the block of a given size that contains an address.
     *
     * @param netMask the prefix as an address, or its length in bits
     * @throws UnknownHostException if the mask is not valid
     */
    public IpSubnet(InetAddress inetAddress, String netMask) throws UnknownHostException {
        this.block = CIDR.newCIDR(inetAddress, netMask);
    }

    /**
     * Returns whether an address is in the block.
     *
     * @param ipAddress a numeric address; host names are not accepted
     * @throws UnknownHostException if the text is not an address
     */
    public boolean contains(String ipAddress) throws UnknownHostException {
        return contains(CIDR.literal(ipAddress));
    }

    @Override
    public boolean contains(InetAddress address) {
        return block == null || block.contains(address);
    }

    /** Formats the block, as in {@code 10.0.0.0/8}; {@code *} for all addresses. */
    @Override
    public String toString() {
        return block == null ? "*" : block.toString();
    }

    /** Returns whether the other is of the same class with the same addresses. */
    @Override
    public boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && Objects.equals(((IpSubnet) other).block, block);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(block);
    }

    /** Compares blocks in the order of {@link CIDR}; the set of all addresses comes last. */
    @Override
    public int compareTo(IpSubnet other) {
        return Objects.compare(block, other.block, ALL_LAST);
    }
}
