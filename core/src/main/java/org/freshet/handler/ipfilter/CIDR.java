package org.freshet.handler.ipfilter;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.freshet.util.NetUtil;

/**
 * A block of IP addresses that begin with the same bits, as in {@code 10.0.0.0/8} and {@code 2001:db8::/32}. Immutable.
 *
 * <p>Blocks are ordered IPv4 before IPv6, then by address, and of two that begin at the same address the smaller one comes
 * first.
 */
public abstract class CIDR implements Comparable<CIDR> {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    /** How many bits of an IPv4-mapped IPv6 address come before the IPv4 address. */
    private static final int MAPPED_PREFIX_BITS = 96;

    /** The first address: all bits behind the prefix are 0. */
    protected InetAddress baseAddress;

    /** The length of the prefix in bits, from 0 to 32 or 128. */
    protected int cidrMask;

    public CIDR() {}

    /**
     * The block of a given size around an address.
     *
     * @param cidrMask the length of the prefix in bits, from 0 to 32 for IPv4 and 128 for IPv6
     * @throws UnknownHostException if there is no such prefix
     */
    public static CIDR newCIDR(InetAddress address, int cidrMask) throws UnknownHostException {
        byte[] bytes = address.getAddress();
        if (cidrMask < 0 || cidrMask > bytes.length * 8) {
            throw new UnknownHostException("prefix not in 0.." + bytes.length * 8 + ": " + cidrMask);
        }
        if (isMapped(bytes) && cidrMask >= MAPPED_PREFIX_BITS) {
            return newCIDR(unmapped(address), cidrMask - MAPPED_PREFIX_BITS);
        }
        return bytes.length == IPV4_BYTES
                ? new CIDR4((Inet4Address) address, cidrMask)
                : new CIDR6((Inet6Address) address, cidrMask);
    }

    /**
     * The block of a given size around an address.
     *
     * @param netMask the prefix as an address, such as {@code 255.255.0.0}, or its length in bits
     * @throws UnknownHostException if there is no such prefix, one with gaps for instance
     */
    public static CIDR newCIDR(InetAddress address, String netMask) throws UnknownHostException {
        byte[] mask = NetUtil.createByteArrayFromIpAddressString(netMask);
        if (mask == null) {
            return newCIDR(address, prefixBits(netMask));
        }
        if (mask.length != address.getAddress().length) {
            throw new UnknownHostException("a netmask of another kind than " + address + ": " + netMask);
        }
        return newCIDR(address, prefixBits(mask, netMask));
    }

    /**
     * Reads a block: an address, a slash, and the length of the prefix or a netmask, as in {@code 10.0.0.0/8}, {@code
     * 10.0.0.0/255.0.0.0} and {@code fe80::/10}. Host names are not taken.
     *
     * @throws UnknownHostException if the text is something else
     */
    public static CIDR newCIDR(String cidr) throws UnknownHostException {
        int slash = cidr.indexOf('/');
        if (slash < 0) {
            throw new UnknownHostException("no slash in an address block: " + cidr);
        }
        InetAddress address = address(cidr.substring(0, slash));
        return newCIDR(address, cidr.substring(slash + 1));
    }

    /** Reads an address and keeps an IPv4-mapped one as IPv6, for its prefix counts from there. */
    private static InetAddress address(String text) throws UnknownHostException {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(text);
        if (address == null) {
            throw new UnknownHostException("not an IP address: " + text);
        }
        return address.length == IPV4_BYTES
                ? InetAddress.getByAddress(address)
                : Inet6Address.getByAddress(null, address, -1);
    }

    private static int prefixBits(String text) throws UnknownHostException {
        boolean isNumber = !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!isNumber) {
            throw new UnknownHostException("neither a prefix length nor a netmask: " + text);
        }
        return Integer.parseInt(text);
    }

    private static int prefixBits(byte[] mask, String text) throws UnknownHostException {
        int bits = 0;
        while (bits < mask.length * 8 && bit(mask, bits)) {
            bits++;
        }
        for (int i = bits; i < mask.length * 8; i++) {
            if (bit(mask, i)) {
                throw new UnknownHostException("a netmask with gaps: " + text);
            }
        }
        return bits;
    }

    private static boolean bit(byte[] bytes, int index) {
        return (bytes[index / 8] & 0x80 >>> index % 8) != 0;
    }

    /** Reads an address; an IPv4-mapped one is an IPv4 address. */
    static InetAddress literal(String text) throws UnknownHostException {
        return unmapped(address(text));
    }

    /** The IPv4 address that an IPv4-mapped IPv6 address stands for; any other address as it is. */
    static InetAddress unmapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return isMapped(bytes) ? inetAddress(Arrays.copyOfRange(bytes, 12, IPV6_BYTES)) : address;
    }

    private static boolean isMapped(byte[] address) {
        return address.length == IPV6_BYTES
                && isZero(address, 10)
                && address[10] == (byte) 0xff
                && address[11] == (byte) 0xff;
    }

    private static boolean isZero(byte[] bytes, int end) {
        for (int i = 0; i < end; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    static InetAddress inetAddress(byte[] bytes) {
        try {
            return bytes.length == IPV4_BYTES
                    ? InetAddress.getByAddress(bytes)
                    : Inet6Address.getByAddress(null, bytes, -1);
        } catch (UnknownHostException e) {
            throw new AssertionError("neither 4 nor 16 bytes: " + bytes.length, e);
        }
    }

    /** The address whose bits behind the prefix are all 0 or all 1. */
    static byte[] filled(byte[] address, int prefixBits, boolean ones) {
        byte[] filled = address.clone();
        for (int i = 0; i < filled.length; i++) {
            int hostBits = 0xff >>> Math.min(8, Math.max(0, prefixBits - 8 * i));
            filled[i] = (byte) (ones ? filled[i] | hostBits : filled[i] & ~hostBits);
        }
        return filled;
    }

    /** Whether an address of the same kind has this block's prefix. */
    final boolean hasPrefix(InetAddress address) {
        byte[] bytes = unmapped(address).getAddress();
        byte[] base = baseAddress.getAddress();
        return bytes.length == base.length && Arrays.equals(base, filled(bytes, cidrMask, false));
    }

    final InetAddress lastAddress() {
        return inetAddress(filled(baseAddress.getAddress(), cidrMask, true));
    }

    final int compareBlocks(CIDR other) {
        byte[] own = baseAddress.getAddress();
        byte[] others = other.baseAddress.getAddress();
        if (own.length != others.length) {
            return Integer.compare(own.length, others.length);
        }
        int byAddress = Arrays.compareUnsigned(own, others);
        return byAddress != 0 ? byAddress : Integer.compare(other.cidrMask, cidrMask);
    }

    /** The first address of the block. */
    public InetAddress getBaseAddress() {
        return baseAddress;
    }

    /** The length of the prefix in bits. */
    public int getMask() {
        return cidrMask;
    }

    /** As {@link #newCIDR(String)} reads it. */
    @Override
    public String toString() {
        return NetUtil.toAddressString(baseAddress) + "/" + cidrMask;
    }

    /** The last address of the block. */
    public abstract InetAddress getEndAddress();

    /** Whether the address lies in the block; never if it is of the other kind. */
    public abstract boolean contains(InetAddress address);

    /** Whether the other is a block of the same addresses. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CIDR cidr && cidr.cidrMask == cidrMask && cidr.baseAddress.equals(baseAddress);
    }

    @Override
    public int hashCode() {
        return 31 * baseAddress.hashCode() + cidrMask;
    }

    /**
     * The IPv4 address within an IPv6 address.
     *
     * @return 4 bytes
     * @throws IllegalArgumentException if it is neither IPv4-mapped ({@code ::ffff:1.2.3.4}) nor IPv4-compatible ({@code
     *     ::1.2.3.4})
     */
    public static byte[] getIpV4FromIpV6(Inet6Address address) {
        byte[] bytes = address.getAddress();
        if (!isMapped(bytes) && !isZero(bytes, 12)) {
            throw new IllegalArgumentException("no IPv4 address within " + NetUtil.toAddressString(address));
        }
        return Arrays.copyOfRange(bytes, 12, IPV6_BYTES);
    }

    /** The IPv4-compatible IPv6 address, such as {@code ::1.2.3.4}; 16 bytes. */
    public static byte[] getIpV6FromIpV4(Inet4Address address) {
        byte[] bytes = new byte[IPV6_BYTES];
        System.arraycopy(address.getAddress(), 0, bytes, 12, IPV4_BYTES);
        return bytes;
    }
}
