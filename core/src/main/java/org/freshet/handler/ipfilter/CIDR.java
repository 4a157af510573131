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
 * <p>IPv4 blocks come before IPv6 blocks, then the order is by address. Of two blocks that begin at the same address,
 * the smaller comes first.
 */
public abstract class CIDR implements Comparable<CIDR> {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    /** The number of bits before the IPv4 address in an IPv4-mapped IPv6 address. */
    private static final int MAPPED_PREFIX_BITS = 96;

    /** The first address: all bits after the prefix are 0. */
    protected InetAddress baseAddress;

    /** The length of the prefix in bits, from 0 to 32 or 128. */
    protected int cidrMask;

    public CIDR() {}

    /**
     * Creates the block of a given size that contains an address.
     *
     * @param cidrMask the length of the prefix in bits, from 0 to 32 for IPv4 or to 128 for IPv6
     * @throws UnknownHostException if the length is outside that range
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
     * Creates the block of a given size that contains an address.
     *
     * @param netMask the prefix as an address, such as {@code 255.255.0.0}, or its length in bits
     * @throws UnknownHostException if the mask is not valid, for example because it has gaps
     */
    public static CIDR newCIDR(InetAddress address, String netMask) throws UnknownHostException {
        byte[] mask = NetUtil.createByteArrayFromIpAddressString(netMask);
        if (mask == null) {
            return newCIDR(address, prefixBits(netMask));
        }
        if (mask.length != address.getAddress().length) {
            throw new UnknownHostException("the netmask is not of the same kind as " + address + ": " + netMask);
        }
        return newCIDR(address, prefixBits(mask, netMask));
    }

    /**
     * Parses a block: an address, a slash, and the length of the prefix or a netmask, as in {@code 10.0.0.0/8},
     * {@code 10.0.0.0/255.0.0.0} and {@code fe80::/10}. Host names are not accepted.
     *
     * @throws UnknownHostException if the text is not a block
     */
    public static CIDR newCIDR(String cidr) throws UnknownHostException {
        int slash = cidr.indexOf('/');
        if (slash < 0) {
            throw new UnknownHostException("an address block needs a slash: " + cidr);
        }
        InetAddress address = address(cidr.substring(0, slash));
        return newCIDR(address, cidr.substring(slash + 1));
    }

    /** Parses an address. An IPv4-mapped address stays IPv6, because its prefix counts from the first of 128 bits. */
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
                throw new UnknownHostException("the netmask has gaps: " + text);
            }
        }
        return bits;
    }

    private static boolean bit(byte[] bytes, int index) {
        return (bytes[index / 8] & 0x80 >>> index % 8) != 0;
    }

    /** Parses an address; an IPv4-mapped one becomes IPv4. */
    static InetAddress literal(String text) throws UnknownHostException {
        return unmapped(address(text));
    }

    /** Returns the IPv4 address inside an IPv4-mapped IPv6 address; any other address unchanged. */
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

    /** Returns the address with all bits after the prefix set to 0 or 1. */
    static byte[] filled(byte[] address, int prefixBits, boolean ones) {
        byte[] filled = address.clone();
        for (int i = 0; i < filled.length; i++) {
            int hostBits = 0xff >>> Math.min(8, Math.max(0, prefixBits - 8 * i));
            filled[i] = (byte) (ones ? filled[i] | hostBits : filled[i] & ~hostBits);
        }
        return filled;
    }

    /** Returns whether an address of the same kind has this block's prefix. */
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

    /** Returns the first address of the block. */
    public InetAddress getBaseAddress() {
        return baseAddress;
    }

    /** Returns the length of the prefix in bits. */
    public int getMask() {
        return cidrMask;
    }

    /** Formats the block as {@link #newCIDR(String)} parses it. */
    @Override
    public String toString() {
        return NetUtil.toAddressString(baseAddress) + "/" + cidrMask;
    }

    /** Returns the last address of the block. */
    public abstract InetAddress getEndAddress();

    /** Returns whether the address is in the block; false for addresses of the other kind. */
    public abstract boolean contains(InetAddress address);

    /** Returns whether the other is a block of the same addresses. */
    @Override
    public boolean equals(Object other) {
        return other instanceof CIDR cidr && cidr.cidrMask == cidrMask && cidr.baseAddress.equals(baseAddress);
    }

    @Override
    public int hashCode() {
        return 31 * baseAddress.hashCode() + cidrMask;
    }

    /**
     * Extracts the IPv4 address from an IPv6 address.
     *
     * @return 4 bytes
     * @throws IllegalArgumentException if it is neither IPv4-mapped ({@code ::ffff:1.2.3.4}) nor IPv4-compatible
     *     ({@code ::1.2.3.4})
     */
    public static byte[] getIpV4FromIpV6(Inet6Address address) {
        byte[] bytes = address.getAddress();
        if (!isMapped(bytes) && !isZero(bytes, 12)) {
            throw new IllegalArgumentException(
                    "this IPv6 address contains no IPv4 address: " + NetUtil.toAddressString(address));
        }
        return Arrays.copyOfRange(bytes, 12, IPV6_BYTES);
    }

    /** Returns the IPv4-compatible IPv6 address, such as {@code ::1.2.3.4}; 16 bytes. */
    public static byte[] getIpV6FromIpV4(Inet4Address address) {
        byte[] bytes = new byte[IPV6_BYTES];
        System.arraycopy(address.getAddress(), 0, bytes, 12, IPV4_BYTES);
        return bytes;
    }
}
