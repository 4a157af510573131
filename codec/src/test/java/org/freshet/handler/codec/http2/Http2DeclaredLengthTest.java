package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message whose Content-Length is wrong is refused, as over HTTP/1.1: a peer would reset the stream. Another one takes its place. */
class Http2DeclaredLengthTest {
    private final StreamLog log = new StreamLog();
    private FramePeer peer;

    private Channel asked(String method) {
        peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(peer.request(1, true, method, "/"));
        return log.last();
    }

    private static <M extends HttpMessage> M declare(M message, String content, String... lengths) {
        message.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        for (String length : lengths) {
            message.headers().add(Names.CONTENT_LENGTH, length);
        }
        return message;
    }

    private static HttpResponse response(String content, String... lengths) {
        return declare(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK), content, lengths);
    }

    private static HttpRequest post(String content, String... lengths) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.headers().set(Names.HOST, "example.com");
        return declare(request, content, lengths);
    }

    private void isReplaced(Channel stream, HttpResponse wrong, String problem) {
        Throwable refusal = assertInstanceOf(
                IllegalArgumentException.class, stream.write(wrong).getCause());
        assertTrue(refusal.getMessage().contains(problem), refusal.getMessage());
        assertEquals(1, ((StreamChannel) stream).exchange.unanswered());
        assertTrue(stream.write(response("right")).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'right' END"), peer.lines());
    }

    @Test
    void shouldNotBeLessThanTheContent() {
        isReplaced(asked("GET"), response("12345", "4"), "a Content-Length of 4 but has 5 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+2", "two", "2,2", "2x", "", "1234567890123456789"})
    void shouldBeANumber(String length) {
        isReplaced(asked("GET"), response("ab", length), "not a number of bytes: '" + length + "'");
    }

    @Test
    void shouldNotContradictAnother() {
        isReplaced(asked("GET"), response("ab", "2", "0"), "contradict each other: 2, 0");
    }

    @Test
    void shouldBeSentOnce() {
        assertTrue(asked("GET").write(response("ab", "2", " 2 ")).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 content-length=2", "DATA 1 'ab' END"), peer.lines());
        assertTrue(asked("GET").write(response("", "0", "0")).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 content-length=0 END"), peer.lines());
    }

    /** It says what the answer to a GET would have. */
    @Test
    void shouldNotBeComparedWithTheContentOfAnAnswerToHead() {
        assertTrue(asked("HEAD").write(response("12345", "4")).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 content-length=4 END"), peer.lines());
    }

    @Test
    void shouldBeRightInRequests() {
        peer = FramePeer.server(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        assertInstanceOf(
                IllegalArgumentException.class, stream.write(post("abc", "2")).getCause());
        assertInstanceOf(
                IllegalArgumentException.class,
                stream.write(post("abc", "3", "2")).getCause());
        assertTrue(stream.write(post("abc", "3")).isSuccess());
        assertEquals("DATA 1 'abc' END", peer.lines().get(1));
    }

    private static HttpResponse chunked(String length) {
        HttpResponse response = response("", length);
        response.setChunked(true);
        return response;
    }

    private static HttpChunk chunk(String content) {
        return new DefaultHttpChunk(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
    }

    @Test
    void shouldBeReachedInChunks() {
        Channel stream = asked("GET");
        HttpChunkTrailer last = new DefaultHttpChunkTrailer();
        last.trailingHeaders().set("Sum", "1");
        for (Object part : List.of(chunked("4"), chunk("abc"), chunk("d"), last)) {
            assertTrue(stream.write(part).isSuccess(), part.toString());
        }
        assertEquals(
                List.of("HEADERS 1 :status=200 content-length=4", "DATA 1 'abc'", "DATA 1 'd'", "HEADERS 1 sum=1 END"),
                peer.lines());
    }

    /** The peer would notice, but perhaps after it has used the first part. */
    @Test
    void shouldNotBeMissedByTheLastChunk() {
        Channel stream = asked("GET");
        stream.write(chunked("4"));
        stream.write(chunk("abc"));
        Throwable refusal = assertInstanceOf(
                IllegalStateException.class, stream.write(HttpChunk.LAST_CHUNK).getCause());
        assertEquals("1 bytes of the declared Content-Length are missing", refusal.getMessage());
        assertEquals("RST_STREAM 1 INTERNAL_ERROR", peer.lines().get(2));
        assertEquals(CloseReason.Kind.WRITE_FAILED, stream.getCloseReason().kind());
    }

    @Test
    void shouldNotBeMissedByTheLastChunkOfBytes() {
        Channel stream = asked("GET");
        stream.write(response("a", "4"));
        assertInstanceOf(
                IllegalStateException.class, stream.write(HttpChunk.LAST_CHUNK).getCause());
        assertEquals("RST_STREAM 1 INTERNAL_ERROR", peer.lines().get(2));
    }

    @Test
    void shouldNotBeExceededInChunks() {
        Channel stream = asked("GET");
        stream.write(chunked("4"));
        Throwable refusal = assertInstanceOf(
                IllegalStateException.class, stream.write(chunk("12345")).getCause());
        assertEquals("content exceeds Content-Length by 1 bytes", refusal.getMessage());
        assertEquals(1, ((StreamChannel) stream).exchange.unanswered());
        assertTrue(stream.write(chunk("1234")).isSuccess());
        assertEquals(
                "content exceeds Content-Length by 1 bytes",
                stream.write(chunk("5")).getCause().getMessage());
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 content-length=4", "DATA 1 '1234'", "DATA 1 '' END"), peer.lines());
    }

    @Test
    void shouldBeReachedInTheChunksOfRequests() {
        peer = FramePeer.server(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        HttpRequest request = post("", "2");
        request.setChunked(true);
        assertTrue(stream.write(request).isSuccess());
        assertTrue(stream.write(chunk("a")).isSuccess());
        assertInstanceOf(
                IllegalStateException.class, stream.write(HttpChunk.LAST_CHUNK).getCause());
        assertEquals("RST_STREAM 1 INTERNAL_ERROR", peer.lines().get(2));
    }

    @Test
    void shouldCountWithBlanksAroundIt() {
        Channel stream = asked("GET");
        stream.write(chunked(" 4 "));
        stream.write(chunk("abc"));
        assertInstanceOf(
                IllegalStateException.class, stream.write(HttpChunk.LAST_CHUNK).getCause());
        stream = asked("GET");
        assertTrue(stream.write(response("ab", " 4 ")).isSuccess());
        assertEquals(1, ((StreamChannel) stream).exchange.unanswered());
        assertTrue(stream.write(chunk("cd")).isSuccess());
        assertEquals(0, ((StreamChannel) stream).exchange.unanswered());
    }

    /** Draft 76 of WebSocket implies eight bytes over HTTP/1.1. */
    @Test
    void shouldNotBeImpliedByAHandshake() {
        peer = FramePeer.server(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(Names.HOST, "example.com");
        request.headers().set(Names.SEC_WEBSOCKET_KEY1, "1");
        request.headers().set(Names.SEC_WEBSOCKET_KEY2, "2");
        request.setChunked(true);
        assertTrue(stream.write(request).isSuccess());
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
    }

    /** The server has answered although the request isn't complete, and the handlers haven't read that yet. */
    @Test
    void shouldNotCostAClientACompleteAnswer() {
        peer = FramePeer.server(new Http2ClientHandler());
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        HttpRequest request = post("", "2");
        request.setChunked(true);
        stream.write(request);
        stream.setReadable(false);
        peer.send(peer.headers(1, true, ":status", "417"));
        assertFalse(stream.write(HttpChunk.LAST_CHUNK).isSuccess());
        stream.setReadable(true);
        assertTrue(log.take().toString().contains("417"));
    }

    @Test
    void shouldLeaveAnAnswerThatWasCutBegun() {
        Channel stream = asked("GET");
        stream.write(chunked("4"));
        stream.write(HttpChunk.LAST_CHUNK);
        assertTrue(((StreamChannel) stream).exchange.hasBegun());
    }
}
