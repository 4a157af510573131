package org.freshet.handler.codec.socks;

import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.util.NetUtil;

/**
 * Checks, writes and reads the fields that several messages share. Received fields are checked by the same methods when
 * the message is created. Stateless.
 */
final class SocksFields {
    /** The maximum value of a length byte. */
    static final int MAX_STRING_BYTES = 0xff;

    static final int IPV4_BYTES = 4;
    static final int IPV6_BYTES = 16;

    private static final int MAX_PORT = 0xffff;

    /** Netty 3 sends this in place of a missing name. */
    private static final String NO_NAME = "\0";

    private SocksFields() {}

    // ---- checks ----

    /** Returns the value. The exception does not contain it, because it may be a secret. */
    static String checkAscii(String field, String value) {
        Objects.requireNonNull(value, field);
        if (!StandardCharsets.US_ASCII.newEncoder().canEncode(value)) {
            throw new IllegalArgumentException(field + " is not ASCII");
        }
        if (value.length() > MAX_STRING_BYTES) {
            throw new IllegalArgumentException(field + " > " + MAX_STRING_BYTES + " characters: " + value.length());
        }
        return value;
    }

    static int checkPort(int port, int min) {
        if (port < min || port > MAX_PORT) {
            throw new IllegalArgumentException("port is not in " + min + " to " + MAX_PORT + ": " + port);
        }
        return port;
    }

    /** Returns the host in the form sent on the wire. */
    static String checkHost(AddressType type, String host) {
        Objects.requireNonNull(host, "host");
        return switch (type) {
            case IPv4 -> check(NetUtil.isValidIpV4Address(host), "an IPv4 address", host);
            case IPv6 -> check(NetUtil.isValidIpV6Address(host), "an IPv6 address", host);
            case DOMAIN, UNKNOWN -> checkName(host);
        };
    }

    private static String check(boolean valid, String wanted, String host) {
        if (!valid) {
            throw new IllegalArgumentException("host is not " + wanted + ": '" + printable(host) + "'");
        }
        return host;
    }

    /** A receiver might end a name at a control character, and look up a different name. */
    static String checkName(String name) {
        String ascii = IDN.toASCII(name);
        check(!ascii.isEmpty() && ascii.chars().allMatch(c -> c >= ' ' && c < 0x7f), "a name", name);
        if (ascii.length() > MAX_STRING_BYTES) {
            throw new IllegalArgumentException("host > " + MAX_STRING_BYTES + " characters: " + ascii.length());
        }
        return ascii;
    }

    private static String printable(String host) {
        return host.replaceAll("\\p{Cntrl}", "?");
    }

    static String displayed(AddressType type, String host) {
        return type == AddressType.DOMAIN ? IDN.toUnicode(host) : host;
    }

    // ---- writing ----

    /** Writes the length in one byte, which the checks guarantee to be enough, and the characters. */
    static void writeString(ChannelBuffer buffer, String ascii) {
        buffer.writeByte(ascii.length());
        buffer.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes the characters, which contain no NUL, and a NUL. */
    static void writeTerminated(ChannelBuffer buffer, String ascii) {
        buffer.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
        buffer.writeByte(0);
    }

    /** @param host null for zeros */
    static void writeAddress(ChannelBuffer buffer, AddressType type, String host, int port) {
        buffer.writeByte(type.getByteValue());
        switch (type) {
            case IPv4 -> writeIp(buffer, host, IPV4_BYTES);
            case IPv6 -> writeIp(buffer, host, IPV6_BYTES);
            case DOMAIN -> writeString(buffer, host == null ? NO_NAME : host);
            case UNKNOWN -> {
                return;
            }
        }
        buffer.writeShort(port);
    }

    static void writeIp(ChannelBuffer buffer, String host, int bytes) {
        if (host == null) {
            buffer.writeZero(bytes);
        } else {
            buffer.writeBytes(NetUtil.createByteArrayFromIpAddressString(host));
        }
    }

    // ---- reading ----

    /** Reads a length and that many bytes. */
    static String readString(ChannelBuffer buffer) {
        return readAscii(buffer, buffer.readUnsignedByte());
    }

    /** A byte beyond ASCII becomes a character that the checks refuse. */
    static String readAscii(ChannelBuffer buffer, int bytes) {
        return buffer.readBytes(bytes).toString(StandardCharsets.US_ASCII);
    }

    /** Reads an address of the type, or a name. */
    static String readHost(ChannelBuffer buffer, AddressType type) {
        return switch (type) {
            case IPv4 -> readIpv4(buffer);
            case IPv6 -> readIpv6(buffer);
            default -> readString(buffer);
        };
    }

    /** Returns null for the text that servers send in place of a missing name, else the host. */
    static String nullIfAbsent(String host) {
        return host.isEmpty() || host.equals(NO_NAME) ? null : host;
    }

    static String readIpv4(ChannelBuffer buffer) {
        return buffer.readUnsignedByte() + "." + buffer.readUnsignedByte() + "." + buffer.readUnsignedByte() + "."
                + buffer.readUnsignedByte();
    }

    /** Returns all eight groups, like Netty 3. */
    private static String readIpv6(ChannelBuffer buffer) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < IPV6_BYTES; at += 2) {
            text.append(at == 0 ? "" : ":").append(Integer.toHexString(buffer.readUnsignedShort()));
        }
        return text.toString();
    }
}
