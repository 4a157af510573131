package org.freshet.handler.ssl.util;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compared with encodings from the standards' own examples. */
@Tag("crypto")
class DerTest {
    @Test
    void shouldEncodePrimitiveTypes() {
        assertHex("0101ff", Der.bool(true));
        assertHex("020200ff", Der.integer(BigInteger.valueOf(255)));
        assertHex("0201ff", Der.integer(BigInteger.ONE.negate()));
        assertHex("03020005", Der.bitString(new byte[] {5}));
        assertHex("04020102", Der.octetString(new byte[] {1, 2}));
        assertHex("0c03c3a461", Der.utf8("\u00e4a"));
        assertHex("06062a864886f70d", Der.oid("1.2.840.113549"));
        assertHex("0603551d11", Der.oid("2.5.29.17"));
        assertHex("0603883703", Der.oid("2.999.3"));
    }

    @Test
    void shouldEncodeConstructedTypes() {
        assertHex("30060101ff0101ff", Der.sequence(Der.bool(true), Der.bool(true)));
        assertHex("31030101ff", Der.set(Der.bool(true)));
        assertHex("a0030101ff", Der.explicit(0, Der.bool(true)));
        assertHex("820161", Der.implicit(2, new byte[] {'a'}));
        assertHex("3000", Der.sequence());
    }

    @Test
    void shouldEncodeLongLengths() {
        assertEquals("047f", start(Der.octetString(new byte[127]), 2));
        assertEquals("048180", start(Der.octetString(new byte[128]), 3));
        assertEquals("0481ff", start(Der.octetString(new byte[255]), 3));
        assertEquals("04820100", start(Der.octetString(new byte[256]), 4));
        assertEquals("0483010000", start(Der.octetString(new byte[65536]), 5));
    }

    @Test
    void shouldWriteYearsInTwoOrFourDigits() {
        assertHex("170d" + ascii("491231235959Z"), Der.time(Instant.parse("2049-12-31T23:59:59Z")));
        assertHex("180f" + ascii("20500101000000Z"), Der.time(Instant.parse("2050-01-01T00:00:00Z")));
    }

    private static String ascii(String text) {
        return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    private static String start(byte[] encoded, int bytes) {
        return HexFormat.of().formatHex(encoded, 0, bytes);
    }

    private static void assertHex(String expected, byte[] encoded) {
        assertEquals(expected, HexFormat.of().formatHex(encoded));
    }
}
