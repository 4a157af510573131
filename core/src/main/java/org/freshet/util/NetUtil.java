package org.freshet.util;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * IP addresses as text, read according to RFC 4291 and written as RFC 5952 recommends. No method makes a DNS query.
 *
 * <p>Reading is strict, because a filter and the system it protects must understand the same text in the same way. A
 * number in an IPv4 address has no leading zero (other software reads it as octal), {@code ::} replaces at least one
 * group, and a zone after {@code %} is not empty. Null is never an address and causes a NullPointerException.
 */
public final class NetUtil {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int IPV6_GROUPS = 8;

    private NetUtil() {}

    /**
     * Reads an IPv4 or IPv6 address. An IPv6 address may be in brackets and may have a zone, which is dropped.
     *
     * @return 4 or 16 bytes, or null if the text is not an address
     */
    public static byte[] createByteArrayFromIpAddressString(String text) {
        byte[] address = parseV4(text, 0, text.length());
        return address != null ? address : parseV6WithTrimmings(text);
    }

    /** Returns whether the text is an IPv6 address, with or without brackets and zone. */
    public static boolean isValidIpV6Address(String text) {
        return parseV6WithTrimmings(text) != null;
    }

    /** Returns whether the text is a decimal number from 0 to 255, as used between the dots of an IPv4 address. */
    public static boolean isValidIp4Word(String text) {
        return parseV4Word(text, 0, text.length()) >= 0;
    }

    /** Returns whether the text is an IPv4 address of four decimal numbers. */
    public static boolean isValidIpV4Address(String text) {
        return parseV4(text, 0, text.length()) != null;
    }

    /** Same as {@code getByName(text, true)}. */
    public static Inet6Address getByName(CharSequence text) {
        return getByName(text, true);
    }

    /**
     * Reads an IPv4 or IPv6 address as an IPv6 address. Brackets and zones are not accepted.
     *
     * @param ipv4Mapped true returns {@code 1.2.3.4}, and its IPv4-compatible form {@code ::1.2.3.4}, as
     *     {@code ::ffff:1.2.3.4}; false returns both as {@code ::1.2.3.4}
     * @return null if the text is not an address
     */
    public static Inet6Address getByName(CharSequence text, boolean ipv4Mapped) {
        int length = text.length();
        byte[] v4 = parseV4(text, 0, length);
        if (v4 != null) {
            return inet6(widen(v4, ipv4Mapped));
        }
        byte[] v6 = parseV6(text, 0, length);
        if (v6 == null) {
            return null;
        }
        boolean compatible = text.toString().indexOf('.') >= 0 && isZero(v6, 0, IPV6_BYTES - IPV4_BYTES);
        return inet6(
                compatible && ipv4Mapped
                        ? widen(Arrays.copyOfRange(v6, IPV6_BYTES - IPV4_BYTES, IPV6_BYTES), true)
                        : v6);
    }

    /** Same as {@code toAddressString(ip, false)}. */
    public static String toAddressString(InetAddress ip) {
        return toAddressString(ip, false);
    }

    /**
     * Formats an address without host name and zone. An IPv6 address is in lower case without leading zeros, and its
     * first longest run of two or more zero groups becomes {@code ::}.
     *
     * @param ipv4Mapped whether to write an IPv4-mapped IPv6 address with dotted numbers, as in {@code ::ffff:1.2.3.4}
     */
    public static String toAddressString(InetAddress ip, boolean ipv4Mapped) {
        byte[] address = ip.getAddress();
        if (address.length == IPV4_BYTES) {
            return formatV4(address, 0);
        }
        if (ipv4Mapped && isMapped(address)) {
            return "::ffff:" + formatV4(address, IPV6_BYTES - IPV4_BYTES);
        }
        return formatV6(address);
    }

    private static byte[] parseV4(CharSequence text, int from, int to) {
        byte[] address = new byte[IPV4_BYTES];
        int start = from;
        for (int i = 0; i < IPV4_BYTES; i++) {
            boolean last = i == IPV4_BYTES - 1;
            int end = last ? to : indexOf(text, '.', start, to);
            int word = end < 0 ? -1 : parseV4Word(text, start, end);
            if (word < 0) {
                return null;
            }
            address[i] = (byte) word;
            start = end + 1;
        }
        return address;
    }

    private static int parseV4Word(CharSequence text, int from, int to) {
        int digits = to - from;
        if (digits < 1 || digits > 3 || (digits > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int word = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            word = word * 10 + (c - '0');
        }
        return word <= 255 ? word : -1;
    }

    private static byte[] parseV6WithTrimmings(String text) {
        int from = 0;
        int to = text.length();
        if (text.startsWith("[")) {
            if (!text.endsWith("]")) {
                return null;
            }
            from++;
            to--;
        }
        int zone = indexOf(text, '%', from, to);
        if (zone >= 0) {
            return isZone(text, zone + 1, to) ? parseV6(text, from, zone) : null;
        }
        return parseV6(text, from, to);
    }

    private static boolean isZone(CharSequence text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c == '%' || c == '[' || c == ']' || c == 0x7f) {
                return false;
            }
        }
        return from < to;
    }

    private static byte[] parseV6(CharSequence text, int from, int to) {
        byte[] address = new byte[IPV6_BYTES];
        int filled = 0; // bytes read so far; those after "::" still directly follow those before it
        int gap = -1; // position of "::" in the address
        int start = from;
        if (to - from >= 2 && text.charAt(from) == ':' && text.charAt(from + 1) == ':') {
            gap = 0;
            start += 2;
        }
        while (start < to) {
            int colon = indexOf(text, ':', start, to);
            int end = colon < 0 ? to : colon;
            int read = parseGroup(text, start, end, colon < 0, address, filled);
            if (read == 0) {
                return null;
            }
            filled += read;
            start = end + 1;
            if (colon >= 0 && start < to && text.charAt(start) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = filled;
                start++;
            } else if (colon >= 0 && start == to) {
                return null; // a single colon at the end
            }
        }
        return closeGap(address, filled, gap);
    }

    /**
     * Reads one group, or the dotted IPv4 part at the end. Returns how many bytes it wrote, or 0 if the text is
     * invalid.
     */
    private static int parseGroup(CharSequence text, int from, int to, boolean last, byte[] address, int at) {
        if (last && at <= IPV6_BYTES - IPV4_BYTES && indexOf(text, '.', from, to) >= 0) {
            byte[] v4 = parseV4(text, from, to);
            if (v4 == null) {
                return 0;
            }
            System.arraycopy(v4, 0, address, at, IPV4_BYTES);
            return IPV4_BYTES;
        }
        if (to - from < 1 || to - from > 4 || at == IPV6_BYTES) {
            return 0;
        }
        int group = 0;
        for (int i = from; i < to; i++) {
            int digit = hexDigit(text.charAt(i));
            if (digit < 0) {
                return 0;
            }
            group = group << 4 | digit;
        }
        address[at] = (byte) (group >>> 8);
        address[at + 1] = (byte) group;
        return 2;
    }

    /** Unlike Character.digit, this doesn't accept digits of other scripts. */
    private static int hexDigit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        int letter = c | 0x20;
        return letter >= 'a' && letter <= 'f' && c < 0x80 ? letter - 'a' + 10 : -1;
    }

    private static byte[] closeGap(byte[] address, int filled, int gap) {
        if (gap < 0) {
            return filled == IPV6_BYTES ? address : null;
        }
        if (filled == IPV6_BYTES) {
            return null;
        }
        int tail = filled - gap;
        System.arraycopy(address, gap, address, IPV6_BYTES - tail, tail);
        Arrays.fill(address, gap, IPV6_BYTES - tail, (byte) 0);
        return address;
    }

    private static String formatV4(byte[] address, int at) {
        return (address[at] & 0xff) + "." + (address[at + 1] & 0xff) + "." + (address[at + 2] & 0xff) + "."
                + (address[at + 3] & 0xff);
    }

    private static String formatV6(byte[] address) {
        int[] groups = new int[IPV6_GROUPS];
        for (int i = 0; i < IPV6_GROUPS; i++) {
            groups[i] = (address[2 * i] & 0xff) << 8 | address[2 * i + 1] & 0xff;
        }
        int gap = 0;
        int gapLength = 1; // a lone zero group is written out
        for (int i = 0; i < IPV6_GROUPS; i++) {
            int run = zeroRun(groups, i);
            if (run > gapLength) {
                gap = i;
                gapLength = run;
            }
        }
        if (gapLength == 1) {
            return join(groups, 0, IPV6_GROUPS);
        }
        return join(groups, 0, gap) + "::" + join(groups, gap + gapLength, IPV6_GROUPS);
    }

    private static int zeroRun(int[] groups, int from) {
        int end = from;
        while (end < IPV6_GROUPS && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    private static String join(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder(5 * (to - from));
        for (int i = from; i < to; i++) {
            if (i > from) {
                text.append(':');
            }
            text.append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }

    private static byte[] widen(byte[] v4, boolean mapped) {
        byte[] v6 = new byte[IPV6_BYTES];
        if (mapped) {
            v6[10] = (byte) 0xff;
            v6[11] = (byte) 0xff;
        }
        System.arraycopy(v4, 0, v6, IPV6_BYTES - IPV4_BYTES, IPV4_BYTES);
        return v6;
    }

    private static boolean isMapped(byte[] v6) {
        return isZero(v6, 0, 10) && v6[10] == (byte) 0xff && v6[11] == (byte) 0xff;
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /** Keeps a mapped address as it is; InetAddress would convert it to an IPv4 one. */
    private static Inet6Address inet6(byte[] address) {
        try {
            return Inet6Address.getByAddress(null, address, -1);
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are always an IPv6 address", e);
        }
    }

    private static int indexOf(CharSequence text, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) == wanted) {
                return i;
            }
        }
        return -1;
    }
}
