package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** "Chunked" has the same meaning as in Netty 3 for the ways in which Netty 3 programs use it. */
class ChunkedMessageTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    // ---- the message ----

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "gzip, chunked"})
    void shouldBeChunkedByTheHeaderAlone(String codings) {
        request.headers().set("Transfer-Encoding", codings);
        assertTrue(request.isChunked());
        assertThrows(IllegalArgumentException.class, () -> request.setContent(buffer("a")));
        request.setChunked(false);
        assertTrue(request.isChunked(), "the header still says so");

        HttpHeaders.removeTransferEncodingChunked(request);
        assertFalse(request.isChunked());
        request.setContent(buffer("a"));
        assertEquals("a", request.getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldStayChunkedWithoutTheHeaderIfMarked() {
        request.setChunked(true);
        HttpHeaders.setTransferEncodingChunked(request);
        request.headers().remove("Transfer-Encoding");
        assertTrue(request.isChunked());
        request.setChunked(false);
        assertFalse(request.isChunked());
    }

    @Test
    void shouldDropContentWhenMarkedAndKeepItWithTheHeaderAlone() {
        request.setContent(buffer("a"));
        HttpHeaders.setTransferEncodingChunked(request);
        assertEquals("a", request.getContent().toString(ISO_8859_1));
        request.setChunked(true);
        assertSame(ChannelBuffers.EMPTY_BUFFER, request.getContent());
    }

    // ---- clients ----

    /** Like Apache Camel's client, which collects a response and sets its buffer when all of it has been "read". */
    @Test
    void shouldKeepUnreadableContentOfAChunkedMessage() {
        DecoderEmbedder<Object> client = new DecoderEmbedder<>(new HttpResponseDecoder());
        client.offer(buffer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
        HttpResponse received = (HttpResponse) client.poll();
        ChannelBuffer copy = ChannelBuffers.dynamicBuffer();
        for (HttpChunk chunk = (HttpChunk) client.poll(); !chunk.isLast(); chunk = (HttpChunk) client.poll()) {
            copy.writeBytes(chunk.getContent());
        }
        int end = copy.writerIndex();
        copy.setIndex(end, end);
        received.setContent(copy);

        assertSame(copy, received.getContent());
        assertEquals("abcde", received.getContent().toString(0, end, ISO_8859_1));
    }

    /** Like Finagle, which turns a multipart form into one message. */
    @Test
    void shouldNotBeChunkedAfterRemovingTheHeaderFromAForm() throws Exception {
        HttpPostRequestEncoder form = new HttpPostRequestEncoder(request, true);
        form.addBodyAttribute("title", "Report");
        HttpRequest finished = form.finalizeRequest();
        assertTrue(finished.isChunked());
        List<String> codings = finished.headers().getAll("Transfer-Encoding");
        codings.remove("chunked");
        assertEquals(List.of(), codings);
        finished.headers().remove("Transfer-Encoding");
        List<ChannelBuffer> pieces = new ArrayList<>();
        while (form.hasNextChunk()) {
            pieces.add(form.nextChunk().getContent());
        }
        finished.setContent(ChannelBuffers.wrappedBuffer(pieces.toArray(new ChannelBuffer[0])));

        assertEquals(
                HttpHeaders.getContentLength(finished), finished.getContent().readableBytes());
        HttpPostRequestDecoder decoder = new HttpPostRequestDecoder(finished);
        assertEquals("title", decoder.getBodyHttpData("title").getName());
    }

    @Test
    void shouldStillSendAFormWithItsLength() throws Exception {
        HttpPostRequestEncoder form = new HttpPostRequestEncoder(request, true);
        form.addBodyAttribute("title", "Report");
        EncoderEmbedder<ChannelBuffer> wire = new EncoderEmbedder<>(new HttpRequestEncoder());
        wire.offer(form.finalizeRequest());
        String head = wire.poll().toString(ISO_8859_1);
        assertTrue(head.contains("Content-Length: " + form.totalBytes() + "\r\n"), head);
        assertFalse(head.contains("Transfer-Encoding"), head);
        HttpChunk first = form.nextChunk();
        wire.offer(first);
        assertEquals(first.getContent(), wire.poll());
    }

    // ---- servers ----

    @Test
    void shouldFrameAndCompressAMessageChunkedByTheHeaderAlone() {
        MemoryChannel server = MemoryChannel.connected(new HttpContentCompressor());
        request.headers().set("Accept-Encoding", "deflate");
        server.receive(request);
        response.headers().set("Transfer-Encoding", "chunked");
        server.write(response);
        server.write(new DefaultHttpChunk(buffer("a".repeat(1000))));
        server.write(HttpChunk.LAST_CHUNK);
        assertEquals("deflate", response.headers().get("Content-Encoding"));

        MemoryChannel client = MemoryChannel.connected(new HttpContentDecompressor(), new HttpChunkAggregator(2000));
        server.takeWritten().forEach(client::receive);
        HttpMessage whole = (HttpMessage) client.takeReceived().get(0);
        assertEquals("a".repeat(1000), whole.getContent().toString(ISO_8859_1));
        assertFalse(whole.isChunked());
    }

    @Test
    void shouldSendALengthInsteadOfBothFramings() {
        EncoderEmbedder<ChannelBuffer> wire = new EncoderEmbedder<>(new HttpResponseEncoder());
        response.headers().set("Transfer-Encoding", "chunked").set("Content-Length", 2);
        wire.offer(response);
        wire.offer(new DefaultHttpChunk(buffer("ab")));
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", wire.poll().toString(ISO_8859_1));
        assertEquals("ab", wire.poll().toString(ISO_8859_1));
        assertTrue(response.isChunked(), "its chunks are still to come");
    }

    @Test
    void shouldJoinAHandBuiltMessageThatHasTheHeaderAlone() {
        request.headers().set("Transfer-Encoding", "chunked");
        DecoderEmbedder<Object> aggregator = new DecoderEmbedder<>(new HttpChunkAggregator(10));
        aggregator.offer(request);
        aggregator.offer(new DefaultHttpChunk(buffer("ab")));
        aggregator.offer(HttpChunk.LAST_CHUNK);
        assertEquals("POST / HTTP/1.1 Content-Length:2 <ab>", Decoded.describe(aggregator.poll()));
    }

    @Test
    void shouldReadTheChunksOfAFormThatHasTheHeaderAlone() throws Exception {
        request.headers().set("Content-Type", FORM).set("Transfer-Encoding", "chunked");
        HttpPostRequestDecoder form = new HttpPostRequestDecoder(request);
        form.offer(new DefaultHttpChunk(buffer("a=b")));
        form.offer(HttpChunk.LAST_CHUNK);
        assertEquals(1, form.getBodyHttpDatas("a").size());
    }

    // ---- a message without content is not chunked, whatever its sender wrote ----

    @ParameterizedTest
    @ValueSource(strings = {"101 Switching Protocols", "204 No Content", "205 Reset Content", "304 Not Modified"})
    void shouldNotBeChunkedWithoutContent(String status) {
        DecoderEmbedder<Object> client = new DecoderEmbedder<>(new HttpResponseDecoder(), new HttpChunkAggregator(10));
        client.offer(buffer("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n"));
        assertEquals(status + " HTTP/1.1 <>", Decoded.describe(client.poll()));
    }

    @Test
    void shouldNotBeChunkedInAnAnswerToHead() {
        HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/");
        MemoryChannel client = MemoryChannel.connected(new HttpClientCodec(), new HttpChunkAggregator(10));
        client.write(head);
        client.receive(buffer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
        assertEquals(
                "200 OK HTTP/1.1 <>", Decoded.describe(client.takeReceived().get(0)));
    }

    private static ChannelBuffer buffer(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }
}
