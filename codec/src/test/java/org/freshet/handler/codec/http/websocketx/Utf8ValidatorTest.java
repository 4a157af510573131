package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/**
 * The JDK's decoder is the oracle. It decides whether bytes are valid text, but reports the first half of a surrogate
 * only with its last byte. Bytes can therefore begin a text if some ending makes them valid.
 */
class Utf8ValidatorTest {
    /** Bytes next to a change: the first and last bytes of each row in RFC 3629's table, and their neighbours. */
    private static final int[] BOUNDARIES = {
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
        0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF
    };

    /** One of these completes any character that has begun. */
    private static final List<String> ENDINGS =
            List.of("", "80", "8080", "808080", "90", "9080", "908080", "a0", "a080", "a08080");

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);

    @Test
    void shouldAgreeWithTheJdkOnEveryTwoBytes() {
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                assertAgrees(first, second);
            }
        }
    }

    @Test
    void shouldAgreeWithTheJdkOnEveryBoundaryOfThreeAndFourBytes() {
        for (int first : BOUNDARIES) {
            for (int second : BOUNDARIES) {
                for (int third : BOUNDARIES) {
                    assertAgrees(first, second, third);
                    for (int fourth : BOUNDARIES) {
                        assertAgrees(first, second, third, fourth);
                    }
                }
            }
        }
    }

    @Test
    void shouldAcceptEveryCharacter() {
        Utf8Validator validator = new Utf8Validator();
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
                byte[] bytes = Character.toString(point).getBytes(StandardCharsets.UTF_8);
                assertEquals(-1, validator.findInvalid(bytes, 0, bytes.length), Integer.toHexString(point));
                assertTrue(validator.isComplete());
            }
        }
    }

    /** Each text at each position within words of eight bytes, split everywhere. */
    @Test
    void shouldFindTheSameByteHoweverTheTextIsSplit() {
        for (String hex : List.of(
                "ceba" + "e1bdb9" + "cf83" + "cebc" + "ceb5",
                "ceba" + "e1bdb9" + "f4908080" + "656469746564",
                "c0af",
                "e0809f",
                "eda080",
                "edbfbf",
                "f0808080",
                "f48fbfbf",
                "f4908080",
                "fe",
                "80",
                "e1bdb9" + "ff",
                "f09f9880" + "f09f98",
                "41" + "c3",
                "c3a9".repeat(9) + "c3c3")) {
            for (int before = 0; before < 17; before++) {
                for (int behind = 0; behind < 17; behind++) {
                    byte[] text = HexFormat.of().parseHex("61".repeat(before) + hex + "7a".repeat(behind));
                    assertFoundHoweverSplit(text);
                }
            }
        }
    }

    @Test
    void shouldAgreeWithTheJdkOnDamagedTexts() {
        Random random = Seeds.random();
        for (int i = 0; i < 3000; i++) {
            byte[] text = randomText(random).getBytes(StandardCharsets.UTF_8);
            for (int damages = random.nextInt(3); damages > 0 && text.length > 0; damages--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            }
            int expected = firstInvalid(text);
            Utf8Validator validator = new Utf8Validator();
            assertEquals(
                    expected,
                    validator.findInvalid(text, 0, text.length),
                    HexFormat.of().formatHex(text));
            assertEquals(isText(text), validator.isComplete(), HexFormat.of().formatHex(text));
        }
    }

    @Test
    void shouldCheckBuffersOfEveryKind() {
        byte[] text = "aé水😀z".repeat(5).getBytes(StandardCharsets.UTF_8);
        text[31] = (byte) 0xFF;
        ChannelBuffer direct = ChannelBuffers.directBuffer(text.length + 3);
        direct.setBytes(3, text);
        ChannelBuffer padded = ChannelBuffers.buffer(text.length + 9);
        padded.setBytes(5, text);
        assertEquals(3 + 31, new Utf8Validator().findInvalid(direct, 3, text.length));
        assertEquals(3 + 31, new Utf8Validator().findInvalid(padded.slice(2, text.length + 7), 3, text.length));
        assertEquals(-1, new Utf8Validator().findInvalid(direct, 3, 31));
    }

    @Test
    void shouldFindABadByteThatIsTheFirstOfABuffer() {
        byte[] bad = {(byte) 0xFF, 'a'};
        ChannelBuffer direct = ChannelBuffers.directBuffer(2);
        direct.writeBytes(bad);
        for (ChannelBuffer buffer : List.of(ChannelBuffers.wrappedBuffer(bad), direct)) {
            assertEquals(0, new Utf8Validator().findInvalid(buffer, 0, 2));
            assertEquals(-1, new Utf8Validator().findInvalid(buffer, 1, 1));
        }
        ChannelBuffer padded = ChannelBuffers.wrappedBuffer(bad, 1, 1);
        assertEquals(-1, new Utf8Validator().findInvalid(padded, 0, 1));
    }

    @Test
    void shouldNotSkipAsciiInsideACharacter() {
        for (int length : new int[] {8, 16, 40, 48}) {
            Utf8Validator validator = new Utf8Validator();
            assertEquals(-1, validator.findInvalid(new byte[] {(byte) 0xC3}, 0, 1));
            assertEquals(0, validator.findInvalid(new byte[length], 0, length));
        }
    }

    @Test
    void shouldFindABadByteBehindAsciiOfEachLength() {
        for (int length = 1; length < 120; length++) {
            for (int at = 0; at < length; at++) {
                byte[] text = new byte[length + 1];
                text[at + 1] = (byte) 0xFF;
                assertEquals(at + 1, new Utf8Validator().findInvalid(text, 1, length));
            }
        }
    }

    @Test
    void shouldRefuseEverythingAfterABadByte() {
        Utf8Validator validator = new Utf8Validator();
        assertEquals(2, validator.findInvalid(new byte[] {'a', 'b', (byte) 0xFF, 'c'}, 0, 4));
        byte[] fine = new byte[40];
        for (int length : new int[] {1, 7, 8, 40}) {
            assertEquals(0, validator.findInvalid(fine, 0, length));
        }
        assertEquals(-1, validator.findInvalid(fine, 0, 0));
        assertFalse(validator.isComplete());
    }

    private void assertFoundHoweverSplit(byte[] text) {
        int expected = firstInvalid(text);
        boolean complete = isText(text);
        for (int cut = 0; cut <= text.length; cut++) {
            Utf8Validator validator = new Utf8Validator();
            int found = validator.findInvalid(text, 0, cut);
            if (found < 0) {
                found = validator.findInvalid(text, cut, text.length - cut);
            }
            String message = HexFormat.of().formatHex(text) + " cut at " + cut;
            assertEquals(expected, found, message);
            assertEquals(complete, validator.isComplete(), message);
        }
    }

    private void assertAgrees(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        Utf8Validator validator = new Utf8Validator();
        int found = validator.findInvalid(bytes, 0, bytes.length);
        int expected = firstInvalid(bytes);
        if (expected != found || isText(bytes) != validator.isComplete()) {
            assertEquals(expected, found, HexFormat.of().formatHex(bytes));
            assertEquals(isText(bytes), validator.isComplete(), HexFormat.of().formatHex(bytes));
        }
    }

    /** The shortest prefix that cannot be continued ends with the first bad byte. */
    private int firstInvalid(byte[] bytes) {
        if (mayBegin(bytes, bytes.length)) {
            return -1;
        }
        int low = 0;
        int high = bytes.length - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (mayBegin(bytes, middle + 1)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Returns whether some continuation makes it a valid text. */
    private boolean mayBegin(byte[] bytes, int length) {
        for (String ending : ENDINGS) {
            byte[] text = Arrays.copyOf(bytes, length + ending.length() / 2);
            System.arraycopy(HexFormat.of().parseHex(ending), 0, text, length, text.length - length);
            if (isText(text)) {
                return true;
            }
        }
        return false;
    }

    private boolean isText(byte[] bytes) {
        decoder.reset();
        return !decoder.decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length + 2), true)
                .isError();
    }

    private static String randomText(Random random) {
        StringBuilder text = new StringBuilder();
        int[] limits = {0x80, 0x800, 0xD800, 0x110000};
        for (int left = random.nextInt(60); left > 0; left--) {
            int point = random.nextInt(limits[random.nextInt(limits.length)]);
            text.appendCodePoint(Character.isBmpCodePoint(point) && Character.isSurrogate((char) point) ? 'x' : point);
        }
        return text.toString();
    }
}
