package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpFailuresTest {
    /** As itself if a log shows it, otherwise as a number. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"33,'!'", "126,'~'", "32,byte 0x20", "127,byte 0x7f", "0,byte 0x00", "233,byte 0xe9"})
    void shouldNameTheByteThatIsWrong(int value, String name) {
        assertEquals(name, HttpFailures.name((byte) value));
    }
}
