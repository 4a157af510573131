package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EmptyHeadersTest {
    private static final HttpHeaders EMPTY = HttpHeaders.EMPTY_HEADERS;

    @Test
    void shouldBeEmpty() {
        assertTrue(EMPTY.isEmpty());
        assertNull(EMPTY.get("a"));
        assertEquals(List.of(), EMPTY.getAll("a"));
        assertEquals(List.of(), EMPTY.entries());
        assertEquals(Set.of(), EMPTY.names());
        assertFalse(EMPTY.contains("a"));
        assertFalse(EMPTY.contains("a", "", true));
        assertFalse(EMPTY.isSensitive("a"));
        assertFalse(EMPTY.iterator().hasNext());
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldRefuseAnyChange(Executable change) {
        assertThrows(UnsupportedOperationException.class, change);
        assertTrue(EMPTY.isEmpty());
    }

    static Stream<Executable> changes() {
        return Stream.of(
                () -> EMPTY.add("a", "1"),
                () -> EMPTY.add("a", List.of("1")),
                () -> EMPTY.add("a", List.of()),
                () -> EMPTY.add(new DefaultHttpHeaders()),
                () -> EMPTY.set("a", "1"),
                () -> EMPTY.set("a", List.of("1")),
                () -> EMPTY.set("a", List.of()),
                () -> EMPTY.set(new DefaultHttpHeaders()),
                () -> EMPTY.remove("a"),
                () -> EMPTY.clear(),
                () -> EMPTY.markSensitive("a"));
    }

    /** A message of a user's class, from before there were trailers. */
    @Test
    void shouldBeTheTrailersOfAMessageThatHasNone() {
        HttpMessage message = new HttpMessage() {
            private HttpVersion version = HttpVersion.HTTP_1_1;

            @Override
            public HttpVersion getProtocolVersion() {
                return version;
            }

            @Override
            public void setProtocolVersion(HttpVersion version) {
                this.version = version;
            }

            @Override
            public HttpHeaders headers() {
                return new DefaultHttpHeaders();
            }

            @Override
            public ChannelBuffer getContent() {
                return ChannelBuffers.EMPTY_BUFFER;
            }

            @Override
            public void setContent(ChannelBuffer content) {}

            @Override
            public boolean isChunked() {
                return false;
            }

            @Override
            public void setChunked(boolean chunked) {}
        };
        assertSame(EMPTY, message.trailingHeaders());
        assertSame(EMPTY, HttpChunk.LAST_CHUNK.trailingHeaders());
    }
}
