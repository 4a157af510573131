package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpChunkAggregatorTest {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";
    private static final String WAITING_PUT = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(new HttpChunkAggregator(10));

    @Test
    void shouldJoinAMessageAndItsChunks() {
        request.setChunked(true);
        HttpHeaders.setTransferEncodingChunked(request);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().add("A", "b");
        offer(request, chunk("abc"), chunk("de"));
        assertNull(embedder.poll());
        offer(trailer);

        assertEquals("POST / HTTP/1.1 Content-Length:5 <abcde>", Decoded.describe(embedder.poll()));
        assertFalse(request.isChunked());
        assertEquals("b", request.trailingHeaders().get("a"));
    }

    // ---- trailers ----

    /**
     * CVE-2025-12642, CVE-2013-5704: a trailer bypasses the processing that proxies apply to a header of the same name.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"X-Forwarded-For", "X-Real-IP", "X-Remote-User", "Origin", "Forwarded", "X-Http-Method-Override"
            })
    void shouldKeepTrailersBesideTheHeaders(String name) {
        embedder = new DecoderEmbedder<>(new HttpRequestDecoder(), new HttpChunkAggregator(10));
        String chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n";
        offer(ChannelBuffers.copiedBuffer(chunked + name + ": x\r\n\r\n" + chunked + "\r\n", ISO_8859_1));
        HttpRequest first = (HttpRequest) embedder.poll();
        assertFalse(first.headers().contains(name));
        assertEquals(List.of("x"), first.trailingHeaders().getAll(name));
        assertTrue(((HttpRequest) embedder.poll()).trailingHeaders().isEmpty(), "of the next request");
    }

    @Test
    void shouldMergeNamedTrailers() {
        HttpChunkAggregator aggregator = new HttpChunkAggregator(10);
        assertEquals(Set.of(), aggregator.getMergedTrailers());
        aggregator.setMergedTrailers(Set.of("content-digest"));
        assertTrue(aggregator.getMergedTrailers().contains("Content-Digest"));
        HttpRequest whole = joined(aggregator, "Content-Digest", "X-Real-IP");
        assertEquals("x", whole.headers().get("Content-Digest"));
        assertFalse(whole.headers().contains("X-Real-IP"));
        assertEquals(2, whole.trailingHeaders().names().size());
    }

    @Test
    void shouldMergeAllTrailersIfAllowed() {
        HttpLimits limits = HttpLimits.strict().toBuilder()
                .allow(HttpViolation.TRAILERS_AS_HEADERS)
                .build();
        HttpRequest whole = joined(new HttpChunkAggregator(10, limits), "Content-Digest", "X-Real-IP");
        assertEquals(List.of("x"), whole.headers().getAll("Content-Digest"));
        assertEquals(List.of("x"), whole.headers().getAll("X-Real-IP"));
    }

    @Test
    void shouldNeverMergeWhatFramesOrRoutes() {
        HttpChunkAggregator aggregator = new HttpChunkAggregator(10, HttpLimits.netty3());
        assertThrows(IllegalArgumentException.class, () -> aggregator.setMergedTrailers(Set.of("A", "Host")));
        embedder = new DecoderEmbedder<>(aggregator);
        request.setChunked(true);
        HttpHeaders unchecked = new DefaultHttpHeaders().add("Host", "evil").add("A", "b");
        offer(request, new DefaultHttpChunkTrailer() {
            @Override
            public HttpHeaders trailingHeaders() {
                return unchecked;
            }
        });
        assertEquals("POST / HTTP/1.1 A:b Content-Length:0 <>", Decoded.describe(embedder.poll()));
    }

    private HttpRequest joined(HttpChunkAggregator aggregator, String... trailers) {
        embedder = new DecoderEmbedder<>(aggregator);
        request.setChunked(true);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        for (String name : trailers) {
            trailer.trailingHeaders().add(name, "x");
        }
        offer(request, chunk("a"), trailer);
        return (HttpRequest) embedder.poll();
    }

    // ---- other transfer codings ----

    @ParameterizedTest
    @CsvSource({"5, abcde, true", "0, '', true", "5, abcde, false"})
    void shouldPassContentInAnotherTransferCodingUnchanged(String size, String content, boolean lengthAdded)
            throws Exception {
        request.headers().set("Transfer-Encoding", "gzip, chunked");
        request.setChunked(true);
        offer(request);
        if (!content.isEmpty()) {
            offer(chunk(content));
        }
        offer(HttpChunk.LAST_CHUNK);
        HttpRequest whole = (HttpRequest) embedder.poll();
        assertEquals("POST / HTTP/1.1 Transfer-Encoding:gzip <" + content + ">", Decoded.describe(whole));
        if (lengthAdded) {
            HttpHeaders.setContentLength(whole, content.length());
        }

        EncoderEmbedder<ChannelBuffer> wire = new EncoderEmbedder<>(new HttpRequestEncoder());
        wire.offer(whole);
        String chunks = content.isEmpty() ? "" : size + "\r\n" + content + "\r\n";
        assertEquals(
                "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + chunks + "0\r\n\r\n",
                wire.poll().toString(ISO_8859_1));
        assertFalse(whole.isChunked());
    }

    // ---- the rest ----

    @Test
    void shouldPassOtherMessages() {
        request.setContent(ChannelBuffers.copiedBuffer("0123456789", ISO_8859_1));
        offer(request, "text");

        assertEquals(request, embedder.poll());
        assertEquals("text", embedder.poll());
    }

    /** Like CONNECT on an HTTP/2 stream, which stays open. */
    @Test
    void shouldPassATunnelAndItsBytes() {
        HttpRequest connect = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "a:1");
        connect.setChunked(true);
        HttpChunk more = chunk("more than ten bytes");
        offer(connect, more, HttpChunk.LAST_CHUNK);

        assertEquals(connect, embedder.poll());
        assertTrue(connect.isChunked());
        assertEquals(more, embedder.poll());
        assertEquals(HttpChunk.LAST_CHUNK, embedder.poll());
    }

    @Test
    void shouldJoinAnyNumberOfChunks() {
        HttpChunkAggregator aggregator = new HttpChunkAggregator(100_000);
        aggregator.setMaxCumulationBufferComponents(4);
        embedder = new DecoderEmbedder<>(aggregator);
        request.setChunked(true);
        offer(request);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1003; i++) {
            expected.append(i).append(' ');
            offer(chunk(i + " "));
        }
        offer(HttpChunk.LAST_CHUNK);

        assertEquals(
                expected.toString(),
                ((HttpMessage) embedder.poll()).getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldRefuseContentThatIsTooLongAndDiscardTheRestOfTheMessage() {
        request.setChunked(true);
        offer(request, chunk("0123456789"));
        assertTooLong(chunk("a"));
        offer(chunk("b"), HttpChunk.LAST_CHUNK);
        assertNull(embedder.poll());
        CodecEmbedderException stray = assertThrows(CodecEmbedderException.class, () -> offer(chunk("c")));
        assertInstanceOf(IllegalStateException.class, stray.getCause(), "the message is over");

        HttpRequest next = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/next");
        offer(next);
        assertEquals(next, embedder.poll());
    }

    @Test
    void shouldRefuseALengthBeforeAnyContentArrivesAndSendNoContinue() {
        request.setChunked(true);
        HttpHeaders.setContentLength(request, 11);
        HttpHeaders.set100ContinueExpected(request);
        assertTooLong(request);
        offer(chunk("a"), HttpChunk.LAST_CHUNK);
        assertNull(embedder.poll());
    }

    @Test
    void shouldRefuseAWholeMessageThatIsTooLong() {
        request.setContent(ChannelBuffers.buffer(11));
        request.getContent().writeZero(11);
        assertTooLong(request);
    }

    @Test
    void shouldRefuseAChunkOutsideAMessage() {
        CodecEmbedderException failure = assertThrows(CodecEmbedderException.class, () -> offer(chunk("a")));
        assertInstanceOf(IllegalStateException.class, failure.getCause());
    }

    @Test
    void shouldSendContinueToAClientThatWaitsForIt() {
        HttpTestServer server = new HttpTestServer(new HttpServerCodec(), new HttpChunkAggregator(10));
        server.receive(WAITING_PUT);
        assertEquals(CONTINUE, server.takeSent());
        server.receive("ab");
        assertEquals(List.of("PUT / HTTP/1.1 Expect:100-continue Content-Length:2 <ab>"), server.takeReceived());
        server.answer(HttpResponseStatus.OK, "x");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", server.takeSent());
    }

    private static HttpTestServer pipelining() {
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(2).build();
        return new HttpTestServer(new HttpServerCodec(limits), new HttpChunkAggregator(10));
    }

    @Test
    void shouldSendContinueOnceTheRequestBeforeIsAnswered() {
        HttpTestServer server = pipelining();
        server.receive(GET + WAITING_PUT);
        assertEquals("", server.takeSent());
        server.answer(HttpResponseStatus.OK, "one");
        assertTrue(server.takeSent().endsWith("one" + CONTINUE));
        server.receive("ab");
        server.answer(HttpResponseStatus.OK, "two");
        assertTrue(server.takeSent().endsWith("two"));
    }

    @Test
    void shouldSendContinueAfterTheResponseThatHasBegun() {
        HttpTestServer server = pipelining();
        server.receive(GET);
        HttpResponse begun = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        begun.setChunked(true);
        server.channel.write(begun);
        server.receive(WAITING_PUT);
        server.takeSent();
        server.channel.write(HttpChunk.LAST_CHUNK);
        assertEquals("0\r\n\r\n" + CONTINUE, server.takeSent());
    }

    @Test
    void shouldSendNoContinueToAClientThatNoLongerWaits() {
        HttpTestServer server = pipelining();
        server.receive(GET + WAITING_PUT + "a");
        server.answer(HttpResponseStatus.OK, "one");
        assertTrue(server.takeSent().endsWith("one"));
    }

    @Test
    void shouldCheckItsSettings() {
        assertThrows(IllegalArgumentException.class, () -> new HttpChunkAggregator(0));
        HttpChunkAggregator aggregator = new HttpChunkAggregator(1);
        assertThrows(IllegalArgumentException.class, () -> aggregator.setMaxCumulationBufferComponents(1));
        new DecoderEmbedder<>(aggregator);
        assertThrows(IllegalStateException.class, () -> aggregator.setMaxCumulationBufferComponents(2));
        assertEquals(1024, aggregator.getMaxCumulationBufferComponents());
    }

    @Test
    void shouldBeConfigurableAgainAfterItWasRemoved() {
        HttpChunkAggregator aggregator = new HttpChunkAggregator(10);
        MemoryChannel channel = MemoryChannel.connected(aggregator);
        request.setChunked(true);
        channel.receive(request);
        channel.receive(chunk("abc"));
        assertThrows(IllegalStateException.class, () -> aggregator.setMergedTrailers(Set.of("a")));
        channel.getPipeline().remove(aggregator);
        aggregator.setMergedTrailers(Set.of("a"));
        aggregator.setMaxCumulationBufferComponents(2);
        assertEquals(2, aggregator.getMaxCumulationBufferComponents());

        DecoderEmbedder<Object> second = new DecoderEmbedder<>(aggregator);
        CodecEmbedderException failure = assertThrows(
                CodecEmbedderException.class, () -> second.offer(chunk("d")), "it has forgotten the message");
        assertInstanceOf(IllegalStateException.class, failure.getCause());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding", "Content-Length"})
    void shouldJoinAConnectThatHasContent(String framing) {
        HttpRequest connect = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "a:1");
        connect.setChunked(true);
        connect.headers().set(framing, framing.equals("Content-Length") ? "2" : "chunked");
        offer(connect, chunk("ab"), HttpChunk.LAST_CHUNK);

        assertEquals("ab", ((HttpMessage) embedder.poll()).getContent().toString(ISO_8859_1));
    }

    /** A last chunk of a user's class may have content. */
    @Test
    void shouldRefuseContentThatGetsTooLongWithTheLastChunk() {
        HttpChunk last = new DefaultHttpChunk(ChannelBuffers.copiedBuffer("more", ISO_8859_1)) {
            @Override
            public boolean isLast() {
                return true;
            }
        };
        request.setChunked(true);
        offer(request, chunk("0123456"));
        assertTooLong(last);
        CodecEmbedderException failure = assertThrows(CodecEmbedderException.class, () -> offer(chunk("a")));
        assertInstanceOf(IllegalStateException.class, failure.getCause(), "the message is over");

        HttpRequest next = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/next");
        next.setChunked(true);
        offer(next, chunk("012345"), last);
        assertEquals("012345more", ((HttpMessage) embedder.poll()).getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldMergeTrailersIntoAMessageThatKeepsNone() {
        HttpChunkAggregator aggregator = new HttpChunkAggregator(10);
        aggregator.setMergedTrailers(Set.of("A"));
        embedder = new DecoderEmbedder<>(aggregator);
        HttpRequest untrailed = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/") {
            @Override
            public HttpHeaders trailingHeaders() {
                return HttpHeaders.EMPTY_HEADERS;
            }
        };
        untrailed.setChunked(true);
        DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().add("a", "1").add("b", "2");
        offer(untrailed, trailer);
        assertEquals("POST / HTTP/1.1 a:1 Content-Length:0 <>", Decoded.describe(embedder.poll()));
    }

    @Test
    void shouldCollectTheNextMessageAfterAnIncompleteOne() {
        request.setChunked(true);
        offer(request, chunk("lost"));
        HttpRequest next = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/next");
        next.setChunked(true);
        offer(next, chunk("0123456789"), HttpChunk.LAST_CHUNK);

        HttpMessage joined = (HttpMessage) embedder.poll();
        assertEquals("0123456789", joined.getContent().toString(ISO_8859_1));
        assertEquals("10", joined.headers().get("Content-Length"));
        assertNull(embedder.poll());
    }

    private void assertTooLong(Object message) {
        CodecEmbedderException failure = assertThrows(CodecEmbedderException.class, () -> offer(message));
        assertEquals("failure 413", Decoded.describe(failure.getCause()));
    }

    private void offer(Object... messages) {
        for (Object message : messages) {
            embedder.offer(message);
        }
    }

    private static HttpChunk chunk(String content) {
        return new DefaultHttpChunk(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
    }
}
