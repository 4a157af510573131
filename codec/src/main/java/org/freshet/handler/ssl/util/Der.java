package org.freshet.handler.ssl.util;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Encodes the few ASN.1 types that make up a certificate, in DER. Each method returns a complete element. */
final class Der {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;

    /** From this year on, a certificate's dates use four digits for the year. */
    private static final int FIRST_GENERALIZED_YEAR = 2050;

    private static final DateTimeFormatter TWO_DIGIT_YEAR = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'");
    private static final DateTimeFormatter FOUR_DIGIT_YEAR = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

    private Der() {}

    static byte[] sequence(byte[]... elements) {
        return element(SEQUENCE, elements);
    }

    static byte[] set(byte[]... elements) {
        return element(SET, elements);
    }

    /** {@code [number] EXPLICIT}. */
    static byte[] explicit(int number, byte[] content) {
        return element(CONTEXT | CONSTRUCTED | number, content);
    }

    /** {@code [number] IMPLICIT} of a primitive type. */
    static byte[] implicit(int number, byte[] content) {
        return element(CONTEXT | number, content);
    }

    static byte[] bool(boolean value) {
        return element(BOOLEAN, new byte[] {(byte) (value ? 0xFF : 0)});
    }

    static byte[] integer(BigInteger value) {
        return element(INTEGER, value.toByteArray());
    }

    /** A bit string of whole bytes. */
    static byte[] bitString(byte[] bits) {
        return element(BIT_STRING, new byte[1], bits);
    }

    static byte[] octetString(byte[] octets) {
        return element(OCTET_STRING, octets);
    }

    static byte[] utf8(String text) {
        return element(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param dotted such as {@code 1.2.840.113549} */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.");
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        base128(content, 40 * Long.parseLong(arcs[0]) + Long.parseLong(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            base128(content, Long.parseLong(arcs[i]));
        }
        return element(OBJECT_IDENTIFIER, content.toByteArray());
    }

    /** Seven bits per byte, most significant first; all but the last have the high bit set. */
    private static void base128(ByteArrayOutputStream out, long value) {
        if (value >= 128) {
            base128More(out, value >>> 7);
        }
        out.write((int) (value & 0x7F));
    }

    private static void base128More(ByteArrayOutputStream out, long value) {
        if (value >= 128) {
            base128More(out, value >>> 7);
        }
        out.write((int) (value & 0x7F | 0x80));
    }

    static byte[] time(Instant instant) {
        var utc = instant.atOffset(ZoneOffset.UTC);
        return utc.getYear() < FIRST_GENERALIZED_YEAR
                ? element(UTC_TIME, TWO_DIGIT_YEAR.format(utc).getBytes(StandardCharsets.US_ASCII))
                : element(GENERALIZED_TIME, FOUR_DIGIT_YEAR.format(utc).getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] element(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        length(out, length);
        for (byte[] content : contents) {
            out.writeBytes(content);
        }
        return out.toByteArray();
    }

    private static void length(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        byte[] bytes = BigInteger.valueOf(length).toByteArray();
        int first = bytes[0] == 0 ? 1 : 0;
        out.write(0x80 | bytes.length - first);
        out.write(bytes, first, bytes.length - first);
    }
}
