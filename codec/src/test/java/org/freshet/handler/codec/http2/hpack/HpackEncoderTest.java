package org.freshet.handler.codec.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpackEncoderTest {
    private final HpackEncoder encoder = new HpackEncoder();
    private final HpackDecoder decoder = new HpackDecoder(4096);

    @Test
    void shouldEncodeTheRequestsOfTheRfc() {
        assertEquals(
                "828684418cf1e3c2e5f23a6ba0ab90f4ff",
                encode(":method", "GET", ":scheme", "http", ":path", "/", ":authority", "www.example.com"));
        assertEquals(
                "828684be5886a8eb10649cbf",
                encode(
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":path",
                        "/",
                        ":authority",
                        "www.example.com",
                        "cache-control",
                        "no-cache"));
        assertEquals(
                "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf",
                encode(
                        ":method",
                        "GET",
                        ":scheme",
                        "https",
                        ":path",
                        "/index.html",
                        ":authority",
                        "www.example.com",
                        "custom-key",
                        "custom-value"));
    }

    @ParameterizedTest
    @CsvSource({
        "authorization, Basic QWxhZGRpbjpvcGVu",
        "proxy-authorization, Basic QQ==",
        "set-cookie, id=1",
        "cookie, id=1"
    })
    void shouldKeepSecretsOutOfEveryTable(String name, String value) throws Exception {
        byte[] block = HexFormat.of().parseHex(encode(name, value));
        List<String> fields = new ArrayList<>();

        decoder.decode(block, 0, block.length, (n, v, never) -> fields.add(n + ": " + v + ", never " + never));

        assertEquals(List.of(name + ": " + value + ", never true"), fields);
        assertEquals(0, decoder.tableSize());
    }

    @Test
    void shouldNotIndexFieldsUnlikelyToRepeat() throws Exception {
        decode(encode("etag", "\"abc\"", "content-length", "1234", ":path", "/" + "a".repeat(100)));

        assertEquals(0, decoder.tableSize());
    }

    @Test
    void shouldEncodeEveryFieldOfTheTableAsItsIndex() {
        Random random = Seeds.random();
        for (int count = 1; count <= 60; count++) {
            HpackEncoder fresh = new HpackEncoder();
            String[] fields = new String[2 * count];
            for (int i = 0; i < count; i++) {
                fields[2 * i] = "x-" + i;
                fields[2 * i + 1] = Integer.toHexString(random.nextInt());
            }
            RandomFields.encode(fresh, fields);

            int octets = RandomFields.encode(fresh, fields).length;

            assertTrue(octets <= 2 * count, octets + " octets for " + count + " fields: " + Arrays.toString(fields));
        }
    }

    @Test
    void shouldNotEmptyTheTableForALargeField() throws Exception {
        decode(encode("x-small", "1"));
        decode(encode("x-large", "1".repeat(4000)));

        assertEquals(40, decoder.tableSize());
    }

    @Test
    void shouldUseATableEntryForTheNameOfALiteral() throws Exception {
        decode(encode("x-a", "1"));

        assertEquals("7e0132", encode("x-a", "2"));
    }

    @Test
    void shouldNotUseHuffmanCodeIfItIsNotShorter() {
        assertEquals("0f060131", encode("age", "1"));
        assertEquals("0f06027e7e", encode("age", "~~"));
    }

    @Test
    void shouldReturnTheMaximumSizeOfAField() {
        String name = "~".repeat(300);
        String value = "~".repeat(200);

        int length = encoder.encode(name, value, new byte[1000], 0);

        assertTrue(length <= HpackEncoder.maxLength(name, value), () -> "octets: " + length);
    }

    @Test
    void shouldKeepFieldsMarkedSensitiveOutOfEveryTable() throws Exception {
        byte[] out = new byte[100];
        List<String> fields = new ArrayList<>();

        int length = encoder.encodeSensitive("x-token", "secret", out, 0);
        decoder.decode(out, 0, length, (n, v, never) -> fields.add(n + ": " + v + ", never " + never));

        assertEquals(List.of("x-token: secret, never true"), fields);
        assertEquals(0, decoder.tableSize());
    }

    @Test
    void shouldTreatSomeFieldsAsSensitiveEvenIfNotMarked() {
        assertTrue(HpackEncoder.isAlwaysSensitive("authorization"));
        assertFalse(HpackEncoder.isAlwaysSensitive("x-token"));
    }

    @ParameterizedTest
    @CsvSource({
        "cookie, 19, false",
        "cookie, 20, true",
        ":path, 64, true",
        ":path, 65, false",
        "x, 3039, true",
        "x, 3040, false"
    })
    void shouldIndexValuesLongEnoughToBeSecretAndShortEnoughToRepeat(String name, int length, boolean isAdded)
            throws Exception {
        decode(encode(name, "a".repeat(length)));

        assertEquals(isAdded, decoder.tableSize() > 0);
    }

    @Test
    void shouldKnowTheLastFieldOfTheStaticTableAndItsName() throws Exception {
        assertEquals("bd", encode("www-authenticate", ""));
        assertEquals(List.of("www-authenticate: Basic"), decode(encode("www-authenticate", "Basic")));
    }

    @Test
    void shouldAnnounceASmallerAndThenALargerTable() throws Exception {
        decode(encode("x-a", "1"));
        encoder.setMaxTableSize(0);
        encoder.setMaxTableSize(1 << 30);
        decoder.setMaxTableSize(0);
        decoder.setMaxTableSize(4096);

        assertTrue(encode("x-a", "1").startsWith("203fe11f"), "two sizes first");
    }

    @Test
    void shouldUseNoMoreThanItsOwnLimitOfALargeGrant() {
        encoder.setMaxTableSize(0xffffffffL);

        assertEquals("82", encode(":method", "GET"));
    }

    @Test
    void shouldSendNoPartOfAFieldThatCannotBeSent() throws Exception {
        decode(encode("x-a", "1"));
        byte[] out = new byte[100];

        assertThrows(IllegalArgumentException.class, () -> encoder.encode("x-b", "\u20ac", out, 0));

        assertEquals(List.of("x-a: 1", "x-b: 2"), decode(encode("x-a", "1", "x-b", "2")));
    }

    @Test
    void shouldDecodeToTheSameFieldsWhateverTheTableContains() throws Exception {
        Random random = Seeds.random();
        for (int block = 0; block < 2_000; block++) {
            if (random.nextInt(20) == 0) {
                int size = random.nextInt(3) == 0 ? 0 : random.nextInt(5000);
                encoder.setMaxTableSize(size);
                decoder.setMaxTableSize(size);
            }
            String[] fields = RandomFields.next(random);

            assertEquals(RandomFields.lines(fields), decode(encode(fields)), () -> "fields " + Arrays.toString(fields));
        }
    }

    private String encode(String... fields) {
        return HexFormat.of().formatHex(RandomFields.encode(encoder, fields));
    }

    private List<String> decode(String hex) throws HpackException {
        byte[] block = HexFormat.of().parseHex(hex);
        List<String> lines = new ArrayList<>();
        decoder.decode(block, 0, block.length, (name, value, never) -> lines.add(name + ": " + value));
        return lines;
    }
}
