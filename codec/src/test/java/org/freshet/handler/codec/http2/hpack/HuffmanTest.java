package org.freshet.handler.codec.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of RFC 7541, appendix B, with the strings of appendix C. */
class HuffmanTest {
    @ParameterizedTest
    @CsvSource({
        "www.example.com, f1e3c2e5f23a6ba0ab90f4ff",
        "no-cache, a8eb10649cbf",
        "custom-key, 25a849e95ba97d7f",
        "custom-value, 25a849e95bb8e8b4bf",
        "302, 6402",
        "private, aec3771a4b",
        "'Mon, 21 Oct 2013 20:13:21 GMT', d07abe941054d444a8200595040b8166e082a62d1bff",
        "https://www.example.com, 9d29ad171863c78f0b97c8e9ae82ae43d3",
        "gzip, 9bd9ab"
    })
    void shouldEncodeAndDecodeTheStringsOfTheRfc(String text, String hex) throws Exception {
        byte[] coded = HexFormat.of().parseHex(hex);

        assertArrayEquals(coded, encode(text));
        assertEquals(text, decode(coded));
    }

    @Test
    void shouldRoundTripEverySymbolAtEveryPositionWithinAnOctet() throws Exception {
        for (int symbol = 0; symbol < 256; symbol++) {
            for (int before = 0; before < 8; before++) {
                String text = "0".repeat(before) + (char) symbol + "~";

                assertEquals(
                        text, decode(encode(text)), "symbol " + symbol + " behind " + before + " codes of five bits");
            }
        }
    }

    @Test
    void shouldRoundTripRandomStrings() throws Exception {
        Random random = Seeds.random();
        for (int i = 0; i < 5_000; i++) {
            byte[] octets = new byte[random.nextInt(100)];
            random.nextBytes(octets);
            String text = new String(octets, StandardCharsets.ISO_8859_1);

            byte[] coded = encode(text);

            assertEquals(text, decode(coded));
            assertEquals(coded.length, Huffman.encodedLength(text));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ff", // eight bits of padding
                "07ff", // "0" and eleven bits of padding
                "00", // "0" and three zeros as padding
                "f8ff", // "&" and eight bits of padding
                "ffffffff", // the end-of-string symbol
                "ffffffffff", // and bits that follow it
                "fe", // a code that needs more bits
                "ffffff" // the same
            })
    void shouldRefuseStringsWithoutAShortPaddingAfterTheLastCode(String hex) {
        assertThrows(HpackException.class, () -> decode(HexFormat.of().parseHex(hex)));
    }

    @Test
    void shouldReturnTheMaximumNumberOfSymbolsInAString() {
        assertEquals(8 + 1, Huffman.maxDecodedLength(5), "eight of five bits, and one that decoding may write to");
    }

    @Test
    void shouldNameTheCharacterThatCannotBeSent() {
        Exception failure = assertThrows(IllegalArgumentException.class, () -> Huffman.encodedLength("ab\u010a"));

        assertEquals("cannot send character U+010A at index 2: HTTP/2 fields are Latin-1", failure.getMessage());
    }

    private static byte[] encode(String text) {
        byte[] out = new byte[text.length() * 4 + 8];
        return Arrays.copyOf(out, Huffman.encode(text, out, 0));
    }

    private static String decode(byte[] coded) throws HpackException {
        byte[] out = new byte[Huffman.maxDecodedLength(coded.length)];
        int length = Huffman.decode(coded, 0, coded.length, out, 0);
        return new String(out, 0, length, StandardCharsets.ISO_8859_1);
    }
}
