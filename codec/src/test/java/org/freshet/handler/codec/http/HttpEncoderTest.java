package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpEncoderTest {
    private final EncoderEmbedder<Object> requests = new EncoderEmbedder<>(new HttpRequestEncoder());
    private final EncoderEmbedder<Object> responses = new EncoderEmbedder<>(new HttpResponseEncoder());
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/x");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    @Test
    void shouldEncodeARequest() {
        request.headers().add("Host", "h").add("x-a", "b").add("content-length", 2);
        request.setContent(buffer("ab"));

        assertEquals("GET /x HTTP/1.1\r\nHost: h\r\nx-a: b\r\ncontent-length: 2\r\n\r\nab", encode(requests, request));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h", "http://h?q=/", ""})
    void shouldAddAMissingPath(String uri) {
        request.setUri(uri);

        String expected = uri.isEmpty() ? "/" : uri.equals("http://h") ? "http://h/" : "http://h/?q=/";
        assertEquals("GET " + expected + " HTTP/1.1\r\n\r\n", encode(requests, request));
    }

    /** RFC 9112, section 3.2.4: a proxy turns it into {@code *}. */
    @ParameterizedTest
    @CsvSource({
        "http://h,http://h",
        "http://h:8080,http://h:8080",
        "http://h/,http://h/",
        "http://h?q,http://h/?q",
        "*,*",
        "/,/"
    })
    void shouldEncodeOptionsForTheServerItself(String uri, String target) {
        requests.offer(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.OPTIONS, uri));
        assertEquals("OPTIONS " + target + " HTTP/1.1\r\n\r\n", ((ChannelBuffer) requests.poll()).toString(ISO_8859_1));
    }

    @Test
    void shouldEncodeAnyStatus() {
        response.setStatus(HttpResponseStatus.valueOf(299));
        assertEquals("HTTP/1.1 299 Successful (299)\r\n\r\n", encode(responses, response));
        response.setStatus(new HttpResponseStatus(200, "\u00e4"));
        response.setProtocolVersion(HttpVersion.HTTP_1_0);
        assertEquals("HTTP/1.0 200 \u00e4\r\n\r\n", encode(responses, response));
    }

    @Test
    void shouldRefuseAStatusThatIsNotThreeDigits() {
        response.setStatus(new HttpResponseStatus(20, "x"));
        assertRefused(responses, response);
    }

    @Test
    void shouldFrameChunksUnlessALengthIsGiven() {
        response.setChunked(true);
        assertEquals("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", encode(responses, response));
        assertEquals("2\r\nab\r\n", encode(responses, chunk("ab")));
        assertEquals("10\r\n0123456789abcdef\r\n", encode(responses, chunk("0123456789abcdef")));
        assertEquals("1000\r\n" + "x".repeat(4096) + "\r\n", encode(responses, chunk("x".repeat(4096))));
        HttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().add("A", "b");
        assertEquals("0\r\nA: b\r\n\r\n", encode(responses, trailer));

        HttpHeaders.setContentLength(response, 2);
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", encode(responses, response));
        assertEquals("ab", encode(responses, chunk("ab")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndAResponseOfVersion10WithTheConnection(boolean coded) {
        response.setProtocolVersion(HttpVersion.HTTP_1_0);
        response.setChunked(true);
        if (coded) {
            HttpHeaders.setTransferEncodingChunked(response);
        }
        assertEquals("HTTP/1.0 200 OK\r\n\r\n", encode(responses, response));
        assertEquals("ab", encode(responses, chunk("ab")));
        assertEquals("", encode(responses, HttpChunk.LAST_CHUNK));
    }

    @Test
    void shouldRefuseARequestOfVersion10WhoseEndCouldNotBeSeen() {
        request.setProtocolVersion(HttpVersion.HTTP_1_0);
        request.setChunked(true);
        assertRefused(requests, request);

        HttpHeaders.setContentLength(request, 2);
        assertEquals("GET /x HTTP/1.0\r\nContent-Length: 2\r\n\r\n", encode(requests, request));
        assertEquals("ab", encode(requests, chunk("ab")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked, gzip", "chunked,", "gzip, chunked, x"})
    void shouldRefuseCodingsAfterChunked(String codings) {
        response.setChunked(true);
        response.headers().set("Transfer-Encoding", codings);
        assertRefused(responses, response);
        response.headers().set("Transfer-Encoding", List.of("chunked", "gzip"));
        assertRefused(responses, response);
        response.headers().set("Transfer-Encoding", List.of("gzip", "deflate, Chunked"));
        assertEquals(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: deflate, Chunked\r\n\r\n",
                encode(responses, response));
    }

    @Test
    void shouldWriteAChunkOutsideAMessageAsItsContent() {
        responses.offer(HttpChunk.LAST_CHUNK);
        assertEquals(0, assertInstanceOf(ChannelBuffer.class, responses.poll()).readableBytes());
    }

    @Test
    void shouldPassOtherMessages() {
        responses.offer("text");
        assertEquals("text", responses.poll());
    }

    @Test
    void shouldRefuseContentInAMessageThatIsFramedByChunks() {
        response.setContent(buffer("a"));
        response.headers().set("Transfer-Encoding", "chunked");
        assertRefused(responses, response);
    }

    @Test
    void shouldWriteLongContentAfterTheHead() {
        String content = "x".repeat(5000);
        response.setContent(buffer(content));
        assertEquals("HTTP/1.1 200 OK\r\n\r\n" + content, encode(responses, response));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: y", "a\n", "\r", "\0", "\u010a", "\u010d", "\u20ac"})
    void shouldWriteNothingOfAHeaderThatWasNotCheckedAndBreaksTheHead(String value) {
        HttpMessage unchecked = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            private final HttpHeaders headers = new DefaultHttpHeaders(false).add("A", value);

            @Override
            public HttpHeaders headers() {
                return headers;
            }
        };
        assertRefused(responses, unchecked);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX", "a b", "a:", "", "\u010a", "a\0"})
    void shouldWriteNothingIfAnUncheckedNameBreaksTheHead(String name) {
        HttpMessage unchecked = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            private final HttpHeaders headers = new DefaultHttpHeaders(false).add(name, "x");

            @Override
            public HttpHeaders headers() {
                return headers;
            }
        };
        assertRefused(responses, unchecked);
    }

    @Test
    void shouldCheckHeadersOfAUsersClass() {
        HttpMessage message = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            private final HttpHeaders headers = new DefaultHttpHeaders() {
                @Override
                public java.util.Iterator<java.util.Map.Entry<String, String>> iterator() {
                    return java.util.List.of(java.util.Map.entry("A", "b\r\nC: d"))
                            .iterator();
                }
            };

            @Override
            public HttpHeaders headers() {
                return headers;
            }
        };
        assertRefused(responses, message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/\r\nX: y", "/\u010a", "/\0"})
    void shouldWriteNothingOfATargetThatASubclassDidNotCheck(String uri) {
        assertRefused(requests, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/") {
            @Override
            public String getUri() {
                return uri;
            }
        });
    }

    @Test
    void shouldWriteNothingIfASubclassDidNotCheckAMethodVersionOrReason() {
        assertRefused(
                requests,
                new DefaultHttpRequest(
                        HttpVersion.HTTP_1_1,
                        new HttpMethod("A") {
                            @Override
                            public String getName() {
                                return "A /\r\n";
                            }
                        },
                        "/"));
        HttpVersion version = new HttpVersion("HTTP/1.1", true) {
            @Override
            public String getText() {
                return "HTTP/1.1\r\n";
            }
        };
        assertRefused(requests, new DefaultHttpRequest(version, HttpMethod.GET, "/"));
        assertRefused(responses, new DefaultHttpResponse(version, HttpResponseStatus.OK));
        assertRefused(responses, new DefaultHttpResponse(HttpVersion.HTTP_1_1, new HttpResponseStatus(200, "x") {
            @Override
            public String getReasonPhrase() {
                return "x\r\nA: b";
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 255, 256, 1023, 1024, 1025, 4095, 4096, 65535, 65536})
    void shouldFrameAChunkOfAnySize(int size) {
        response.setChunked(true);
        encode(responses, response);
        String content = "x".repeat(size);
        ChannelBuffer buffer = buffer("_" + content);
        buffer.skipBytes(1);
        responses.offer(new DefaultHttpChunk(buffer));
        assertEquals(
                Integer.toHexString(size) + "\r\n" + content + "\r\n",
                ((ChannelBuffer) responses.poll()).toString(ISO_8859_1));
        assertEquals(size, buffer.readableBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1023, 1024, 1025, 3000})
    void shouldWriteContentOfAnySizeAfterTheHead(int size) {
        ChannelBuffer content = buffer("_" + "x".repeat(size));
        content.skipBytes(1);
        response.setContent(content);
        assertEquals("HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(size), encode(responses, response));
        assertEquals(size, content.readableBytes());
    }

    @Test
    void shouldEndChunksWithATrailerIfItHasHeaders() {
        response.setChunked(true);
        encode(responses, response);
        assertEquals("0\r\n\r\n", encode(responses, new DefaultHttpChunkTrailer()));

        encode(responses, response);
        HttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
        trailer.trailingHeaders().add("a", "1").add("B", "2");
        assertEquals("0\r\na: 1\r\nB: 2\r\n\r\n", encode(responses, trailer));
        assertEquals("ab", encode(responses, chunk("ab")), "the message is over");
    }

    @Test
    void shouldEndChunksWithALastChunkOfAUsersClass() {
        response.setChunked(true);
        encode(responses, response);
        assertEquals("0\r\n\r\n", encode(responses, new DefaultHttpChunk(ChannelBuffers.EMPTY_BUFFER)));
    }

    @Test
    void shouldSendHeadersThatWereNotCheckedIfTheyAreFine() {
        HttpResponse unchecked = new DefaultHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, new DefaultHttpHeaders(false).add("A", "b"));
        assertEquals("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", encode(responses, unchecked));
    }

    @ParameterizedTest
    @CsvSource({
        "http://h/p?q,http://h/p?q",
        "http://h?q/p,http://h/?q/p",
        "http://h/p,http://h/p",
        "/p?u=http://x,/p?u=http://x",
        "://h,://h",
        "h:80,h:80"
    })
    void shouldSendATargetThatHasAPathUnchanged(String uri, String target) {
        request.setUri(uri);
        assertEquals("GET " + target + " HTTP/1.1\r\n\r\n", encode(requests, request));
    }

    /** Its clients know no chunks. */
    @Test
    void shouldFrameNoContentInAnotherCodingInVersion10() {
        response.setProtocolVersion(HttpVersion.HTTP_1_0);
        response.headers().set("Transfer-Encoding", "gzip");
        response.setContent(buffer("ab"));
        assertEquals("HTTP/1.0 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nab", encode(responses, response));
        assertEquals("c", encode(responses, chunk("c")));
    }

    /** It may be written to several channels, or logged afterwards. */
    @ParameterizedTest
    @ValueSource(strings = {"ab", ""})
    void shouldLeaveAMessageInAnotherCodingUnchanged(String content) {
        response.headers().set("Transfer-Encoding", "gzip");
        response.setContent(buffer(content));
        String chunk = content.isEmpty() ? "" : "2\r\nab\r\n";
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + chunk + "0\r\n\r\n",
                    encode(responses, response));
        }
        assertFalse(response.isChunked());
        assertEquals("gzip", response.headers().get("Transfer-Encoding"));
        assertEquals(content, response.getContent().toString(ISO_8859_1));
    }

    /** RFC 2616 named it; it means no coding. */
    @Test
    void shouldSendContentThatIsDeclaredAsNotCodedAfterTheHead() {
        response.headers().set("Transfer-Encoding", "identity");
        response.setContent(buffer("ab"));
        assertEquals("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nab", encode(responses, response));
    }

    @Test
    void shouldSendContentByItsLengthIfTheHeadDeclaresBoth() {
        response.setContent(buffer("ab"));
        response.headers().set("Content-Length", 2).set("Transfer-Encoding", "chunked");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", encode(responses, response));
        assertFalse(response.isChunked());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 299, 999})
    void shouldSendAStatusOfThreeDigits(int code) {
        response.setStatus(new HttpResponseStatus(code, "x"));
        assertEquals("HTTP/1.1 " + code + " x\r\n\r\n", encode(responses, response));
        response.setProtocolVersion(HttpVersion.valueOf("RTSP/1.0"));
        assertEquals("RTSP/1.0 " + code + " x\r\n\r\n", encode(responses, response));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 99, 1000})
    void shouldRefuseAStatusOfOtherLengths(int code) {
        assertRefused(responses, new DefaultHttpResponse(HttpVersion.HTTP_1_0, new HttpResponseStatus(code, "x")));
    }

    @Test
    void shouldForwardReceivedHeadersUnchangedUnlessModified() {
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new HttpRequestDecoder());
        decoder.offer(buffer("GET / HTTP/1.1\r\nHost:  h \r\nx-B:c\r\nX-d: e\r\n\r\n"));
        HttpRequest received = decoder.poll();
        assertEquals("GET / HTTP/1.1\r\nHost:  h\r\nx-B:c\r\nX-d: e\r\n\r\n", encode(requests, received));
        received.headers().add("new", "1");
        received.headers().get("x-d");
        assertEquals("GET / HTTP/1.1\r\nHost:  h\r\nx-B:c\r\nX-d: e\r\nnew: 1\r\n\r\n", encode(requests, received));
        received.headers().set("Host", "i");
        assertEquals("GET / HTTP/1.1\r\nx-B: c\r\nX-d: e\r\nnew: 1\r\nHost: i\r\n\r\n", encode(requests, received));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'A:\nB: c\n'|'A:\r\nB: c\r\n'",
                "'A:\r\nB:\r\n'|'A:\r\nB:\r\n'",
                "'A::b\r\nC: :\r\n'|'A::b\r\nC: :\r\n'",
                "'A: b\r\n c\r\nD:e\r\n'|'A: b c\r\nD:e\r\n'",
            })
    void shouldForwardReceivedLinesWithTheirNames(String received, String sent) {
        DecoderEmbedder<HttpResponse> decoder = new DecoderEmbedder<>(new HttpResponseDecoder());
        decoder.offer(buffer("HTTP/1.1 204 x\r\n" + received + "\r\n"));
        HttpResponse forwarded = decoder.poll();
        assertEquals("HTTP/1.1 204 x\r\n" + sent + "\r\n", encode(responses, forwarded));
        assertEquals("A", forwarded.headers().entries().get(0).getKey());
    }

    private static void assertRefused(EncoderEmbedder<Object> encoder, Object message) {
        CodecEmbedderException failure = assertThrows(CodecEmbedderException.class, () -> encoder.offer(message));
        assertInstanceOf(IllegalArgumentException.class, failure.getCause());
        assertEquals(0, encoder.size());
    }

    private static String encode(EncoderEmbedder<Object> encoder, Object message) {
        encoder.offer(message);
        return ((ChannelBuffer) encoder.poll()).toString(ISO_8859_1);
    }

    private static HttpChunk chunk(String content) {
        return new DefaultHttpChunk(buffer(content));
    }

    private static ChannelBuffer buffer(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    @Test
    void shouldSendTheValueThatAnEntryOfReceivedHeadersWasGiven() {
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new HttpRequestDecoder());
        decoder.offer(buffer("GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n\r\n"));
        HttpRequest received = decoder.poll();
        received.headers().entries().get(1).setValue("longer");
        assertEquals("GET / HTTP/1.1\r\nHost: h\r\nX-A: longer\r\n\r\n", encode(requests, received));
    }
}
