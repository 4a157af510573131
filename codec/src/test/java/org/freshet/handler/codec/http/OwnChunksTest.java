package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnChunksTest {
    private final OwnChunks chunks = new OwnChunks();

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0\r\n\r\n",
                "5\r\nhello\r\n0\r\n\r\n",
                "1\r\na\r\n2\r\nbc\r\n000\r\n\r\n",
                "A\r\n0123456789\r\n0;x\r\n\r\n",
                "0a;a=b;c\r\n0\r\n\r\n3456\r\n\r\n0\r\n\r\n",
                "1\na\n0\n\n",
                "0\r\nA: b\r\nC: d\r\n\r\n",
                "1;5\r\nx\r\n0\r\n\r\n"
            })
    void shouldFindTheEndInAnyPieces(String response) {
        for (int size = 1; size <= response.length(); size++) {
            OwnChunks split = new OwnChunks();
            for (int at = 0; at < response.length(); at += size) {
                assertFalse(split.isOver(), response + " before " + at);
                split.feed(bytes(response.substring(at, Math.min(response.length(), at + size))));
            }
            assertTrue(split.isOver(), response + " in pieces of " + size);
        }
    }

    @Test
    void shouldConsumeNothing() {
        ChannelBuffer buffer = bytes("x0\r\n\r\n");
        buffer.skipBytes(1);
        chunks.feed(buffer);
        assertTrue(chunks.isOver());
        assertEquals(5, buffer.readableBytes());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0\r\n",
                "0\r\n\r",
                "5\r\nhello\r\n",
                "5\r\nhello0\r\n\r\n",
                "5\r\nhello\rx\n0\r\n\r\n",
                "0\r\n\r\n0",
                "0\r\n\r\n0\r\n\r\n",
                "80000000\r\n0\r\n\r\n",
                "ffffffffffffffff0\r\n0\r\n\r\n",
                "0\r\nA: b\r\n",
                "0\r\n\rA\r\n",
                "10000000000000000\r\n\r\n"
            })
    void shouldFindNoEndWhereThereIsNoneOrTheGrammarIsBroken(String response) {
        chunks.feed(bytes(response));
        assertFalse(chunks.isOver());
    }

    @Test
    void shouldFollowContentThatIsNotInMemory() {
        chunks.feed(bytes("7fffffff\r\na"));
        chunks.feed(Integer.MAX_VALUE - 2L);
        chunks.feed(bytes("z\r\n1\r\n"));
        chunks.feed(1L);
        chunks.feed(bytes("\r\n0\r\n\r\n"));
        assertTrue(chunks.isOver());
    }

    /** The rest of the chunk can't be told from the next one. */
    @Test
    void shouldFindNoEndAfterContentOfUnknownLength() {
        chunks.feed(bytes("4\r\n"));
        chunks.feed(-1);
        chunks.feed(bytes("abcd\r\n0\r\n\r\n"));
        assertFalse(chunks.isOver());
    }

    @ParameterizedTest
    @CsvSource({"'4\r\n',5", "'4\r\n',-1", "4,4", "'4\r\nabcd',1", "'0\r\n',2", "'0\r\n\r\n',1"})
    void shouldFindNoEndAfterContentOfAnotherLength(String before, long bytes) {
        chunks.feed(bytes(before));
        chunks.feed(bytes);
        assertFalse(chunks.isOver());
        chunks.feed(bytes("\r\n0\r\n\r\n"));
        assertFalse(chunks.isOver());
    }
}
