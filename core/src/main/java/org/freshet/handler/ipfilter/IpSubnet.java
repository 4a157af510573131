package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.Objects;

/** A block of addresses of one kind, or all addresses of both. Immutable. */
public class IpSubnet implements IpSet, Comparable<IpSubnet> {
    private static final Comparator<CIDR> ALL_LAST = Comparator.nullsLast(Comparator.naturalOrder());

    /** Null if this is the set of all addresses. */
    private final CIDR block;

    /** All addresses, IPv4 and IPv6. */
    public IpSubnet() {
        this.block = null;
    }

    /**
     * Reads a block as {@link CIDR#newCIDR(String)} does.
     *
     * @throws UnknownHostException if the text is no block
     */
    public IpSubnet(String netAddress) throws UnknownHostException {
        this.block = CIDR.newCIDR(netAddress);
    }

    /**
     * The block of a given size around an address.
     *
     * @param cidrNetMask the length of the prefix in bits, from 0 to 32 or 128
     * @throws UnknownHostException if there is no such prefix
     */
    public IpSubnet(InetAddress inetAddress, int cidrNetMask) throws UnknownHostException {
        this.block = CIDR.newCIDR(inetAddress, cidrNetMask);
    }

    /**
     * The block of a given size around an address.
     *
     * @param netMask the prefix as an address, or its length in bits
     * @throws UnknownHostException if there is no such prefix
     */
    public IpSubnet(InetAddress inetAddress, String netMask) throws UnknownHostException {
        this.block = CIDR.newCIDR(inetAddress, netMask);
    }

    /**
     * Whether an address lies in the block.
     *
     * @param ipAddress an address in numbers; host names are not taken
     * @throws UnknownHostException if it is no address
     */
    public boolean contains(String ipAddress) throws UnknownHostException {
        return contains(CIDR.literal(ipAddress));
    }

    @Override
    public boolean contains(InetAddress address) {
        return block == null || block.contains(address);
    }

    /** The block as {@code 10.0.0.0/8}; {@code *} for all addresses. */
    @Override
    public String toString() {
        return block == null ? "*" : block.toString();
    }

    /** Whether the other is of the same class with the same addresses. */
    @Override
    public boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && Objects.equals(((IpSubnet) other).block, block);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(block);
    }

    /** By block as {@link CIDR} tells; the set of all addresses comes last. */
    @Override
    public int compareTo(IpSubnet other) {
        return Objects.compare(block, other.block, ALL_LAST);
    }
}
