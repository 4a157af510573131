package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages can have headers of any class: what is declared and sent doesn't depend on it. */
class HeadersOfAUsersClassTest {
    private final HttpHeaders headers = new ListHeaders();

    /** Keeps values as they are given, in a list. */
    private static final class ListHeaders extends HttpHeaders {
        private final List<Map.Entry<String, String>> entries = new ArrayList<>();

        @Override
        public String get(String name) {
            List<String> values = getAll(name);
            return values.isEmpty() ? null : values.get(0);
        }

        @Override
        public List<String> getAll(String name) {
            List<String> values = new ArrayList<>();
            for (Map.Entry<String, String> entry : entries) {
                if (entry.getKey().equalsIgnoreCase(name)) {
                    values.add(entry.getValue());
                }
            }
            return values;
        }

        @Override
        public List<Map.Entry<String, String>> entries() {
            return List.copyOf(entries);
        }

        @Override
        public boolean contains(String name) {
            return get(name) != null;
        }

        @Override
        public boolean isEmpty() {
            return entries.isEmpty();
        }

        @Override
        public Set<String> names() {
            Set<String> names = new LinkedHashSet<>();
            entries.forEach(entry -> names.add(entry.getKey()));
            return names;
        }

        @Override
        public HttpHeaders add(String name, Object value) {
            entries.add(Map.entry(name, value.toString()));
            return this;
        }

        @Override
        public HttpHeaders add(String name, Iterable<?> values) {
            values.forEach(value -> add(name, value));
            return this;
        }

        @Override
        public HttpHeaders set(String name, Object value) {
            return remove(name).add(name, value);
        }

        @Override
        public HttpHeaders set(String name, Iterable<?> values) {
            return remove(name).add(name, values);
        }

        @Override
        public HttpHeaders remove(String name) {
            entries.removeIf(entry -> entry.getKey().equalsIgnoreCase(name));
            return this;
        }

        @Override
        public HttpHeaders clear() {
            entries.clear();
            return this;
        }

        @Override
        public Iterator<Map.Entry<String, String>> iterator() {
            return entries().iterator();
        }
    }

    private HttpResponse response() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, headers);
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private static String encode(HttpMessage message) {
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new HttpResponseEncoder());
        encoder.offer(message);
        return encoder.poll().toString(ISO_8859_1);
    }

    @Test
    void shouldBeSentInTheirOrder() {
        headers.add("b", 1).add("A", "x y").add("B", "");
        assertEquals("HTTP/1.1 200 OK\r\nb: 1\r\nA: x y\r\nB: \r\n\r\n", encode(response()));
    }

    @Test
    void shouldDeclareChunks() {
        headers.add("Transfer-Encoding", "gzip, chunked");
        assertTrue(response().isChunked());
        assertTrue(HttpHeaders.isTransferEncodingChunked(response()));
        headers.set("Transfer-Encoding", "gzip");
        assertFalse(response().isChunked());
        headers.clear();
        assertFalse(response().isChunked());
    }

    @ParameterizedTest
    @CsvSource({"2,, true", "2,2, true", "2,02, true", "2,3, false", "3,2, false", "2,x, false"})
    void shouldDeclareALengthIfTheyAgreeOnIt(String first, String second, boolean isAccepted) {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec());
        server.receive("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        headers.add("Content-Length", first);
        if (second != null) {
            headers.add("Content-Length", second);
        }
        HttpResponse response = response();
        response.setContent(bytes("ab"));
        ChannelFuture written = server.channel.write(response);
        assertEquals(isAccepted, written.isSuccess());
        assertEquals(isAccepted, server.takeSent().endsWith("\r\n\r\nab"));
    }

    @Test
    void shouldContainOnlyWholeValues() {
        headers.add("a", "x").add("A", "One, two");
        assertTrue(headers.contains("a", "One, two", false));
        assertFalse(headers.contains("a", "one, two", false));
        assertTrue(headers.contains("a", "one, TWO", true));
        assertFalse(headers.contains("a", "One", true));
        assertFalse(headers.contains("b", "x", true));
    }

    @Test
    void shouldBeCopiedFromAndToOthers() {
        headers.add("a", 1).add("b", 2);
        HttpHeaders ours = new DefaultHttpHeaders().add("a", 0).add(headers);
        assertEquals(List.of("0", "1"), ours.getAll("a"));
        assertEquals("2", ours.get("b"));

        headers.add(new DefaultHttpHeaders().add("c", 3));
        assertEquals(List.of("a", "b", "c"), List.copyOf(headers.names()));
        headers.set(ours);
        assertEquals(ours.entries(), headers.entries());
        assertEquals(headers.entries(), ours.set(headers).entries());
        assertEquals(List.of(), headers.set(new DefaultHttpHeaders()).entries());
    }

    @Test
    void shouldKeepTheMarksOfSensitiveHeadersWhenTheyAreCopied() {
        assertFalse(headers.isSensitive("token"));
        headers.add("token", "x").markSensitive("Token").markSensitive("other");
        assertTrue(headers.isSensitive("TOKEN"));
        assertTrue(headers.isSensitive("other"));
        assertFalse(headers.isSensitive("host"));

        HttpHeaders added = new DefaultHttpHeaders().add(headers).markSensitive("more");
        HttpHeaders set = new DefaultHttpHeaders().markSensitive("own").set(headers);
        for (String name : List.of("token", "other")) {
            assertTrue(added.isSensitive(name), name);
            assertTrue(set.isSensitive(name), name);
        }
        assertTrue(set.isSensitive("own"));
        assertFalse(headers.isSensitive("more"), "a copy's marks are its own");
        assertFalse(added.isSensitive("own"));
    }
}
