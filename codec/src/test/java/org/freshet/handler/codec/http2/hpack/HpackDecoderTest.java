package org.freshet.handler.codec.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 7541: the blocks of appendix C, and blocks that must be refused. */
class HpackDecoderTest {
    private final HpackDecoder decoder = new HpackDecoder(4096);

    @Test
    void shouldDecodeLiteralsByTheirKind() throws Exception {
        assertEquals(
                List.of("custom-key: custom-header"), decode("400a637573746f6d2d6b65790d637573746f6d2d686561646572"));
        assertEquals(55, decoder.tableSize());
        assertEquals(List.of(":path: /sample/path"), decode("040c2f73616d706c652f70617468"));
        assertEquals(List.of("password: secret (never)"), decode("100870617373776f726406736563726574"));
        assertEquals(List.of(":method: GET"), decode("82"));
        assertEquals(55, decoder.tableSize());
    }

    @Test
    void shouldDecodeTheRequestsOfTheRfcWithoutHuffmanCode() throws Exception {
        assertEquals(
                List.of(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"),
                decode("828684410f7777772e6578616d706c652e636f6d"));
        assertEquals(57, decoder.tableSize());
        assertEquals(
                List.of(
                        ":method: GET",
                        ":scheme: http",
                        ":path: /",
                        ":authority: www.example.com",
                        "cache-control: no-cache"),
                decode("828684be58086e6f2d6361636865"));
        assertEquals(110, decoder.tableSize());
        assertEquals(
                List.of(
                        ":method: GET",
                        ":scheme: https",
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value"),
                decode("828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565"));
        assertEquals(164, decoder.tableSize());
    }

    @Test
    void shouldDecodeTheRequestsOfTheRfcWithHuffmanCode() throws Exception {
        assertEquals(
                List.of(":method: GET", ":scheme: http", ":path: /", ":authority: www.example.com"),
                decode("828684418cf1e3c2e5f23a6ba0ab90f4ff"));
        assertEquals(
                List.of(
                        ":method: GET",
                        ":scheme: http",
                        ":path: /",
                        ":authority: www.example.com",
                        "cache-control: no-cache"),
                decode("828684be5886a8eb10649cbf"));
        assertEquals(
                List.of(
                        ":method: GET",
                        ":scheme: https",
                        ":path: /index.html",
                        ":authority: www.example.com",
                        "custom-key: custom-value"),
                decode("828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"));
        assertEquals(164, decoder.tableSize());
    }

    @Test
    void shouldEvictEntriesThatNoLongerFit() throws Exception {
        HpackDecoder small = new HpackDecoder(256);

        assertEquals(
                List.of(
                        ":status: 302",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com"),
                decode(
                        small,
                        "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff"
                                + "6e919d29ad171863c78f0b97c8e9ae82ae43d3"));
        assertEquals(222, small.tableSize());
        assertEquals(
                List.of(
                        ":status: 307",
                        "cache-control: private",
                        "date: Mon, 21 Oct 2013 20:13:21 GMT",
                        "location: https://www.example.com"),
                decode(small, "4883640effc1c0bf"));
        assertEquals(222, small.tableSize());
    }

    @Test
    void shouldEmptyTheTableForAnEntryLargerThanTheTable() throws Exception {
        HpackDecoder small = new HpackDecoder(64);
        decode(small, "40016101" + "62");
        assertEquals(34, small.tableSize());

        decode(small, "4001611e" + "62".repeat(30));
        assertEquals(63, small.tableSize());
        decode(small, "40016120" + "62".repeat(32));

        assertEquals(0, small.tableSize());
    }

    @Test
    void shouldKeepAnEntryThatFillsTheTable() throws Exception {
        HpackDecoder small = new HpackDecoder(64);

        decode(small, "4001611f" + "62".repeat(31));

        assertEquals(64, small.tableSize());
    }

    @Test
    void shouldKnowTheLastFieldOfTheStaticTable() throws Exception {
        assertEquals(List.of("www-authenticate: "), decode("bd"));
    }

    @Test
    void shouldDecodeAnEmptyNameInEitherCoding() throws Exception {
        assertEquals(List.of(": x"), decode("000001" + "78"));
        assertEquals(List.of(": x"), decode("008001" + "78"));
    }

    @Test
    void shouldNotReadBeyondTheArrayForAMissingString() {
        byte[] block = HexFormat.of().parseHex("000161");

        assertThrows(HpackException.class, () -> decoder.decode(block, 0, block.length, (n, v, never) -> {}));
    }

    @Test
    void shouldDistinguishCommonNamesFromOthersWithTheSamePrefix() {
        for (int number = 1; number <= StaticTable.LENGTH; number++) {
            String common = StaticTable.name(number);
            assertSame(common, nameOf(common));
            for (int i = 0; i < 1000; i++) {
                assertEquals(common + i, nameOf(common + i));
            }
        }
    }

    private static String nameOf(String name) {
        byte[] octets = name.getBytes(StandardCharsets.ISO_8859_1);
        return FieldNames.of(octets, 0, octets.length);
    }

    @Test
    void shouldCreateNoStringForACommonName() throws Exception {
        List<String> names = new ArrayList<>();
        byte[] twice = HexFormat.of().parseHex("0004686f737401780004686f73740178");

        decoder.decode(twice, 0, twice.length, (name, value, neverIndexed) -> names.add(name));

        assertEquals("host", names.get(0));
        assertSame(names.get(0), names.get(1));
    }

    @Test
    void shouldAcceptTableSizesAtTheBeginningOfABlock() throws Exception {
        decode("40016101" + "62");

        assertEquals(List.of(":method: GET"), decode("20" + "3fe11f" + "82"));

        assertEquals(0, decoder.tableSize());
    }

    @ParameterizedTest
    @CsvSource({
        "80, index 0",
        "be, index 62",
        "ff80808008, index",
        "3fe21f82, 4097",
        "202020, twice",
        "8220, after its first field",
        "0001, ends within",
        "00, ends within",
        "0f, ends within",
        "000161, ends within",
        "00016105, ends within",
        "0081ff0161, Huffman",
        "0082ffff0161, Huffman",
        "7fffffffffff0f, integer",
        "7f8080808000, integer",
        "7fffffffff7f, integer"
    })
    void shouldRefuse(String hex, String reason) {
        Exception failure = assertThrows(HpackException.class, () -> decode(hex));

        assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    }

    @Test
    void shouldRequireTheSmallerSizeThatSettingsDemand() throws Exception {
        decoder.setMaxTableSize(100);

        Exception failure = assertThrows(HpackException.class, () -> decode("82"));

        assertEquals("a block must begin with the smaller table size required by SETTINGS", failure.getMessage());
    }

    @Test
    void shouldContinueWithTheSmallerSizeThatSettingsDemand() throws Exception {
        decoder.setMaxTableSize(100);

        assertEquals(List.of(":method: GET"), decode("3f45" + "82"));
        assertEquals(List.of(":method: POST"), decode("83"));
    }

    @Test
    void shouldNotAllocateMemoryForAStringThatIsOnlyAnnounced() {
        assertThrows(HpackException.class, () -> decode("00ff80808040"));
    }

    private List<String> decode(String hex) throws HpackException {
        return decode(decoder, hex);
    }

    private static List<String> decode(HpackDecoder decoder, String hex) throws HpackException {
        byte[] block = HexFormat.of().parseHex("aa" + hex + "bb");
        List<String> fields = new ArrayList<>();
        decoder.decode(
                block,
                1,
                block.length - 2,
                (name, value, neverIndexed) -> fields.add(name + ": " + value + (neverIndexed ? " (never)" : "")));
        return fields;
    }
}
