package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.frame.DigitDecoder.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.junit.jupiter.api.Test;

/** A search with bounds that a decoder doesn't use as long as it searches the bytes that it has kept. */
class DelimiterSearchTest {
    private static DelimiterSearch search(String... delimiters) {
        return new DelimiterSearch(
                Stream.of(delimiters).map(each -> each.getBytes(US_ASCII)).toArray(byte[][]::new));
    }

    /** The bytes beyond the end may be left over from an earlier read. */
    @Test
    void shouldFindNothingBeyondTheEndOrBackwards() {
        ChannelBuffer buffer = bytes("a|b;c|d;");
        for (DelimiterSearch search : List.of(search("|"), search("|", ";"))) {
            for (int from = 2; from <= 8; from++) {
                assertEquals(-1, search.indexAfter(buffer, 0, from, 2));
            }
            assertEquals(2, search.indexAfter(buffer, 0, 0, 2));
        }
    }
}
