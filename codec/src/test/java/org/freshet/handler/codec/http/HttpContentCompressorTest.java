package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses are compressed, and what becomes of their headers. */
class HttpContentCompressorTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec(), new HttpContentCompressor());
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "-1,15,8,compressionLevel is not in 0..9: -1",
        "10,15,8,compressionLevel is not in 0..9: 10",
        "6,8,8,windowBits is not in 9..15: 8",
        "6,16,8,windowBits is not in 9..15: 16",
        "6,15,0,memLevel is not in 1..9: 0",
        "6,15,10,memLevel is not in 1..9: 10"
    })
    void shouldRefuseSettingsOutOfRange(int level, int windowBits, int memLevel, String message) {
        IllegalArgumentException failure = assertThrows(
                IllegalArgumentException.class, () -> new HttpContentCompressor(level, windowBits, memLevel));
        assertEquals(message, failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0,9,1", "9,15,9", "6,15,8"})
    void shouldCompressWithAnySettingsInRange(int level, int windowBits, int memLevel) {
        HttpTestServer server =
                new HttpTestServer(new HttpServerCodec(), new HttpContentCompressor(level, windowBits, memLevel));
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "x".repeat(1000));
        String sent = server.takeSent();
        assertTrue(sent.contains("Content-Encoding: gzip\r\n"), sent);
        assertEquals(level > 0, sent.length() < 1000);
    }

    @Test
    void shouldCompressContentThatIsDeclaredAsNotEncoded() {
        server.receive(GET);
        response.headers().set("Content-Encoding", "IDENTITY");
        response.setContent(bytes("abc"));
        server.channel.write(response);
        assertEquals("gzip", response.headers().get("Content-Encoding"));
    }

    @ParameterizedTest
    @CsvSource({
        "gzip,'\"v1\"','W/\"v1\"'",
        "gzip,'W/\"v1\"','W/\"v1\"'",
        "identity,'\"v1\"','\"v1\"'",
        "gzip,,",
    })
    void shouldWeakenTheTagOfContentThatChanges(String accepts, String tag, String sent) {
        server.receive("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: " + accepts + "\r\n\r\n");
        if (tag != null) {
            response.headers().set("ETag", tag);
        }
        response.setContent(bytes("abc"));
        server.channel.write(response);
        assertEquals(sent, response.headers().get("ETag"));
    }

    @Test
    void shouldNotRepeatVary() {
        server.receive(GET);
        response.headers().set("Vary", "Cookie, accept-encoding");
        response.setContent(bytes("abc"));
        server.channel.write(response);
        assertEquals(1, response.headers().getAll("Vary").size());
        assertEquals("gzip", response.headers().get("Content-Encoding"));
    }

    @Test
    void shouldAddNoLengthToAWholeResponse() {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().add("Accept-Encoding", "identity;q=0.5").add("Accept-Encoding", "gzip");
        channel.receive(request);
        response.setContent(bytes("abc"));
        channel.write(response);
        assertEquals("gzip", response.headers().get("Content-Encoding"), "both header lines count");
        assertFalse(response.headers().contains("Content-Length"));
    }

    @Test
    void shouldDescribeForHeadTheAnswerToGet() {
        server.receive(GET.replace("GET", "HEAD"));
        server.answerInChunks(response, "abc");
        assertEquals(
                "HTTP/1.1 200 OK\r\nVary: Accept-Encoding\r\nContent-Encoding: gzip\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n",
                server.takeSent());
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "abc");
        assertTrue(server.takeSent().contains("Content-Encoding: gzip\r\n"));
    }

    /** Such as the answer to a head that was refused. */
    @ParameterizedTest
    @ValueSource(ints = {503, 408})
    void shouldNotChangeAnAnswerWithoutARequest(int code) {
        server.answer(HttpResponseStatus.valueOf(code), "busy");
        String sent = server.takeSent();
        assertTrue(sent.endsWith("Content-Length: 4\r\n\r\nbusy"), sent);
    }

    @Test
    void shouldNotChangeTheAnswerToARequestItHasNotSeen() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer late = new HttpTestServer(codec);
        late.receive(GET);
        late.channel.getPipeline().addAfter("0", "late", new HttpContentCompressor());
        late.answer(HttpResponseStatus.OK, "abc");
        assertTrue(late.takeSent().endsWith("Content-Length: 3\r\n\r\nabc"));
        late.receive(GET);
        late.answer(HttpResponseStatus.OK, "abc");
        assertTrue(late.takeSent().contains("Content-Encoding: gzip\r\n"));
    }

    @ParameterizedTest
    @CsvSource({"101,false", "200,true", "203,true", "204,false", "206,false", "304,false", "404,true", "500,true"})
    void shouldCompressAnswersThatHaveContentOfTheirOwn(int code, boolean isCompressed) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().add("Accept-Encoding", "gzip");
        channel.receive(request);
        response.setStatus(HttpResponseStatus.valueOf(code));
        response.setContent(bytes("abc"));
        channel.write(response);
        assertEquals(isCompressed, response.headers().contains("Content-Encoding"));
        assertEquals(isCompressed, response.headers().contains("Vary"));
    }

    @Test
    void shouldLetHandlersSuspendReadingWithoutACodec() {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        channel.receive(request);
        channel.setReadable(false);
        assertFalse(channel.isReadable());
        for (int i = 1; i < 128; i++) {
            channel.receive(request);
        }
        channel.setReadable(true);
        assertFalse(channel.isReadable(), "128 requests are unanswered");
        for (int i = 0; i < 128; i++) {
            channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        }
        assertTrue(channel.isReadable());
    }

    /** Such as the message of another protocol that looks like HTTP. */
    @Test
    void shouldCompressAMessageThatIsNeitherRequestNorResponse() {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        HttpMessage message = new DefaultHttpMessage(HttpVersion.HTTP_1_1) {};
        message.headers().add("Accept-Encoding", "gzip");
        channel.receive(message);
        HttpMessage answer = new DefaultHttpMessage(HttpVersion.HTTP_1_1) {};
        answer.setContent(bytes("abc"));
        channel.write(answer);
        assertEquals("gzip", answer.headers().get("Content-Encoding"));
        assertThrows(IllegalStateException.class, () -> failing(channel.write(answer)));
    }

    private static void failing(ChannelFuture future) throws Exception {
        Throwable cause = future.getCause();
        if (cause instanceof Exception failure) {
            throw failure;
        }
    }

    /** However many there are: none of them waits. */
    @Test
    void shouldNotCountRequestsThatAnEarlierHandlerHasAnswered() {
        HttpContentCompressor compressor = new HttpContentCompressor();
        SimpleChannelUpstreamHandler answering = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                Channels.write(ctx, Channels.future(ctx.getChannel()), WrittenParts.head(404, 0));
                ctx.sendUpstream(e);
            }
        };
        HttpTestServer server = new HttpTestServer(new HttpServerCodec(), answering, compressor);
        server.receive(GET.repeat(200));
        assertEquals(200, server.takeReceived().size());
        assertTrue(server.channel.isReadable());
        server.channel.getPipeline().remove(answering);
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "abc");
        assertTrue(server.takeSent().contains("Content-Encoding: gzip\r\n"));
    }

    /** Errors may answer heads that were refused, which it hasn't seen. */
    @Test
    void shouldCountOnlyAnswersToRequests() {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        for (int i = 0; i < 40; i++) {
            channel.write(WrittenParts.head(400, 0));
        }
        for (int i = 0; i < 128; i++) {
            channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        }
        assertFalse(channel.isReadable());
    }

    @Test
    void shouldTakeASwitchOfProtocolsForTheAnswer() {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        channel.write(WrittenParts.head(100, -1));
        channel.write(WrittenParts.head(101, -1));
        assertThrows(IllegalStateException.class, () -> failing(channel.write(WrittenParts.head(200, 0))));
    }
}
