package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A block of IPv4 addresses. Immutable. {@link IpSubnet} handles both kinds. */
public class IpV4Subnet implements IpSet, Comparable<IpV4Subnet> {
    private static final int ADDRESS_BITS = 32;

    private final CIDR block;

    /** Contains all IPv4 addresses. */
    public IpV4Subnet() {
        this(CIDR.inetAddress(new byte[ADDRESS_BITS / 8]), 0);
    }

    /**
     * Parses a block in the syntax of {@link CIDR#newCIDR(String)}.
     *
     * @throws UnknownHostException if the text is not a block
     * @throws IllegalArgumentException if it is a block of IPv6 addresses
     */
    public IpV4Subnet(String netAddress) throws UnknownHostException {
        this.block = onlyV4(CIDR.newCIDR(netAddress));
    }

    /**
     * Creates the block of a given size that contains an address.
     *
     * @param cidrNetMask the length of the prefix in bits, from 0 to 32
     * @throws IllegalArgumentException if the length is outside that range, or the address is IPv6
     */
    public IpV4Subnet(InetAddress inetAddress, int cidrNetMask) {
        this(inetAddress, Integer.toString(cidrNetMask));
    }

    /**
     * Creates the block of a given size that contains an address.
     *
     * @param netMask the prefix as an address, such as {@code 255.255.0.0}, or its length in bits
     * @throws IllegalArgumentException if the mask is not valid, or the address is IPv6
     */
    public IpV4Subnet(InetAddress inetAddress, String netMask) {
        try {
            this.block = onlyV4(CIDR.newCIDR(CIDR.unmapped(inetAddress), netMask));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static CIDR onlyV4(CIDR block) {
        if (block.getBaseAddress().getAddress().length * 8 != ADDRESS_BITS) {
            throw new IllegalArgumentException("not a block of IPv4 addresses: " + block);
        }
        return block;
    }

    /**
     * Returns whether an address is in the block; false for IPv6 addresses.
     *
     * @param ipAddress a numeric address; host names are not accepted
     * @throws UnknownHostException if the text is not an address
     */
    public boolean contains(String ipAddress) throws UnknownHostException {
        return contains(CIDR.literal(ipAddress));
    }

    @Override
    public boolean contains(InetAddress address) {
        return block.contains(address);
    }

    /** Formats the block, as in {@code 10.0.0.0/8}. */
    @Override
    public String toString() {
        return block.toString();
    }

    /** Returns whether the other is of the same class with the same addresses. */
    @Override
    public boolean equals(Object other) {
        return other != null && other.getClass() == getClass() && ((IpV4Subnet) other).block.equals(block);
    }

    @Override
    public int hashCode() {
        return block.hashCode();
    }

    /** Compares blocks in the order of {@link CIDR}. */
    @Override
    public int compareTo(IpV4Subnet other) {
        return block.compareTo(other.block);
    }
}
