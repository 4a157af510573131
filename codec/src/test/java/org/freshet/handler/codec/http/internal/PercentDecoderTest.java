package org.freshet.handler.codec.http.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URLEncoder;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PercentDecoderTest {
    @Test
    void shouldDecodeEscapesAndPlusSigns() {
        assertEquals("a b&c", decode("a+b%26c"));
        assertEquals("caf\u00e9 \u20ac", decode("caf%C3%a9+%E2%82%AC"));
        assertEquals("\u00e9", PercentDecoder.decode("%E9", 0, 3, ISO_8859_1));
        assertEquals("100%", decode("100%%"));
        assertEquals("%41", decode("%%41"));
        assertEquals("b", PercentDecoder.decode("a=b%", 2, 3, UTF_8));
    }

    @Test
    void shouldNotChangeOtherCharacters() {
        assertEquals("\u20ac x\u20ac", decode("\u20ac+x%E2%82%AC"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "a%", "%4", "%4g", "%g4", "%-1", "%+1", "% 1", "%\uff11\uff11", "%e2%8"})
    void shouldRefuseInvalidEscapes(String text) {
        assertThrows(IllegalArgumentException.class, () -> decode(text));
    }

    @Test
    void shouldDecodeWhatTheJdkEncodes() {
        Random random = Seeds.random();
        for (int i = 0; i < 500; i++) {
            String text = random.ints(random.nextInt(20), 1, 0xd800)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            assertEquals(text, decode(URLEncoder.encode(text, UTF_8)));
        }
    }

    private static String decode(String text) {
        return PercentDecoder.decode(text, 0, text.length(), UTF_8);
    }
}
