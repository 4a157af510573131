package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Handshakes that succeed, what they agree on, and their place among other answers. */
class WebSocketServerOpeningTest extends ServedWebSocket {
    // ---- the handshake ----

    @ParameterizedTest
    @EnumSource
    void shouldReportTheHandshakeBeforeTheFirstFrame(Http http) {
        byte[] input = concat(
                request().replace("/chat", "/chat?room=1").getBytes(ISO_8859_1), masked(0x81, "Hi"), masked(0x89, "p"));
        for (int cut = 1; cut < input.length; cut++) {
            Log own = new Log();
            MemoryChannel channel = http.serverChannel(
                    new WebSocketServerProtocolHandler(
                            config().subprotocols("x").build()),
                    own);
            channel.receive(ChannelBuffers.copiedBuffer(input, 0, cut));
            channel.receive(ChannelBuffers.copiedBuffer(input, cut, input.length - cut));
            assertEquals(List.of("opened /chat?room=1 null", "Text 'Hi'"), own.lines, "cut " + cut);
            String sent = takeSent(channel);
            assertTrue(
                    sent.startsWith("HTTP/1.1 101 ") && sent.endsWith("\r\n\r\n\u0081\u0007welcome\u008a\u0001p"),
                    sent);
            assertEquals(List.of(), channel.takeCaught());
        }
    }

    /** Or the client would take the answer for the one to the earlier request. */
    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 101 Switching Protocols", "HTTP/1.1 426 Upgrade Required", "HTTP/1.1 400 Bad Request"})
    void shouldAnswerAfterEarlierRequests(String status) {
        MemoryChannel channel = MemoryChannel.connected(
                new HttpServerCodec(HttpLimits.standard().toBuilder()
                        .maxPipelinedRequests(4)
                        .build()),
                new WebSocketServerProtocolHandler(config().build()),
                log);
        String request = request()
                .replace("Version: 13", status.contains("426") ? "Version: 12" : "Version: 13")
                .replace("Connection: Upgrade", status.contains("400") ? "X: y" : "Connection: Upgrade");
        channel.receive(bytes("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + request));
        if (status.contains("101")) {
            receive(channel, masked(0x81, "Hi"));
        }
        assertEquals("", takeSent(channel));
        channel.write(emptyResponse());
        assertTrue(takeSent(channel).endsWith("\r\nContent-Length: 0\r\n\r\n"));
        assertEquals(List.of(), log.lines);

        channel.write(emptyResponse());

        String sent = takeSent(channel);
        String earlier = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
        assertTrue(sent.startsWith(earlier + status), sent);
        assertEquals(status.contains("101") ? List.of("opened /chat null", "Text 'Hi'") : List.of(), log.lines);
    }

    private static MemoryChannel pipelined(ChannelHandler lowest, WebSocketServerConfig.Builder config, Log log) {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxPipelinedRequests(4).build();
        return MemoryChannel.connected(
                lowest, new HttpServerCodec(limits), new WebSocketServerProtocolHandler(config.build()), log);
    }

    /** Another thread may be about to send that, or wait for room. */
    @Test
    void shouldAnswerAfterAnEarlierResponseThatIsEncodedButNotYetSent() {
        ChannelDownstreamHandler slow = (ctx, e) -> {
            if (e instanceof MessageEvent) {
                Channels.fireWriteComplete(ctx.getChannel(), 1);
            }
            ctx.sendDownstream(e);
        };
        MemoryChannel channel = pipelined(slow, config(), log);
        channel.receive(bytes("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + request()));
        channel.write(emptyResponse());
        String sent = takeSent(channel);
        assertTrue(sent.startsWith("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 101 "), sent);
    }

    @Test
    void shouldReportWhatACheckThrowsForARequestThatHasWaited() {
        IllegalStateException planned = new IllegalStateException("planned");
        WebSocketServerConfig.Builder throwing = config().allowIf(request -> {
            throw planned;
        });
        MemoryChannel channel =
                pipelined((ChannelDownstreamHandler) ChannelHandlerContext::sendDownstream, throwing, log);
        channel.receive(bytes("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + request()));
        channel.write(emptyResponse());
        assertEquals(List.of(planned), channel.takeCaught());
    }

    private static HttpResponse emptyResponse() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 0);
        return response;
    }

    @Test
    void shouldAnswerAfterAResponseThatAnEarlierHandlerHasHeld() {
        ChunkedWriteHandler holder = new ChunkedWriteHandler();
        MemoryChannel channel = MemoryChannel.connected(
                new HttpServerCodec(HttpLimits.standard().toBuilder()
                        .maxPipelinedRequests(4)
                        .build()),
                holder,
                new WebSocketServerProtocolHandler(config().build()),
                log);
        channel.receive(bytes("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + request()));
        channel.turnWritable(false);
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(head, 3);
        channel.write(head);
        channel.write(new ChunkedStream(new ByteArrayInputStream("abc".getBytes(ISO_8859_1))));
        assertTrue(takeSent(channel).endsWith("\r\n\r\n"));

        channel.turnWritable(true);

        String sent = takeSent(channel);
        assertTrue(sent.startsWith("abcHTTP/1.1 101 "), sent);
        assertEquals(List.of("opened /chat null"), log.lines);
    }

    @Test
    void shouldCompressForClientsThatOfferIt() {
        MemoryChannel channel = channel(config());
        channel.receive(bytes(request("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")));
        assertTrue(takeSent(channel).contains("\r\nSec-WebSocket-Extensions: permessage-deflate;"));
        MemoryChannel plain = Http.CODEC.serverChannel(
                new WebSocketServerProtocolHandler(config().extensions().build()));
        plain.receive(bytes(request("Sec-WebSocket-Extensions: permessage-deflate")));
        assertFalse(takeSent(plain).contains("Extensions"));
    }

    @Test
    void shouldAgreeOnSubprotocol() {
        MemoryChannel channel = channel(config().subprotocols("v2", "v1"));
        channel.receive(bytes(request("Sec-WebSocket-Protocol: v0, v1")));
        assertTrue(takeSent(channel).contains("\r\nSec-WebSocket-Protocol: v1\r\n"));
        assertEquals(List.of("opened /chat v1"), log.lines);
    }

    @ParameterizedTest
    @CsvSource({
        "'v1, v2', 'v2,v1', v2",
        "'v1, v0', 'v2,v1', v1",
        "'a, v2', '*', a",
        "'a, v1', 'v1,*', v1",
        "'a', 'v1,*', a"
    })
    void shouldPreferItsOwnOrderOfSubprotocols(String offered, String own, String chosen) {
        MemoryChannel channel = channel(config().subprotocols(own.split(",")));
        channel.receive(bytes(request("Sec-WebSocket-Protocol: " + offered)));
        assertEquals(List.of("opened /chat " + chosen), log.lines);
    }

    @Test
    void shouldPreferTheClientsOrderWithNetty3Constructors() {
        MemoryChannel channel = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler("ws://x/y", "v2,v1"), log);
        channel.receive(bytes(request("Sec-WebSocket-Protocol: v0, v1, v2")));
        assertEquals(List.of("opened /chat v1"), log.lines);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/chat/", "/chat2", "/x?/chat", "http://h/chat"})
    void shouldPassRequestsOfOtherPathsAsTheyAre(String target) {
        MemoryChannel channel = channel(config());
        channel.receive(bytes(request().replace("/chat", target).replace("Connection: Upgrade\r\n", "")));
        assertEquals(target, ((HttpRequest) channel.takeReceived().get(0)).getUri());
        assertEquals("", takeSent(channel));
        timer.advance(Duration.ofHours(1));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldAllowPagesOfTheServerItselfAndOfConfiguredOrigins() {
        assertEquals(101, statusFor(config(), "http://example.com"));
        assertEquals(101, statusFor(config(), "http://EXAMPLE.com:80"));
        assertEquals(403, statusFor(config(), "https://example.com"));
        assertEquals(403, statusFor(config(), "http://sub.example.com"));
        assertEquals(101, statusFor(config().allowOrigins("https://a.example"), "https://A.example"));
        assertEquals(403, statusFor(config().allowOrigins("https://a.example"), "http://a.example"));
        assertEquals(403, statusFor(config().allowOrigins("https://a.example"), "http://example.com"));
        assertEquals(101, statusFor(config().allowAnyOrigin(), "http://evil.example"));
        assertEquals(403, statusFor(config().allowIf(request -> false), "http://example.com"));
    }

    private int statusFor(WebSocketServerConfig.Builder config, String origin) {
        MemoryChannel channel = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config.build()));
        channel.receive(bytes(request("Origin: " + origin)));
        return Integer.parseInt(takeSent(channel).substring(9, 12));
    }

    @Test
    void shouldLeaveNoTimeoutAfterTheHandshake() {
        MemoryChannel channel = open(config());
        assertEquals(0, timer.pendingTimeouts());
        timer.advance(Duration.ofHours(1));
        assertTrue(channel.isOpen());
    }

    // ---- as in Netty 3 ----

    @ParameterizedTest
    @EnumSource
    void shouldAcceptAnyPathAndOriginWithNetty3Constructors(Http http) {
        MemoryChannel channel = http.serverChannel(new WebSocketServerProtocolHandler("ws://x/y", "p"), log);
        channel.receive(bytes(request("Origin: http://evil.example", "Sec-WebSocket-Protocol: p")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
        receive(channel, concat(masked(0x81, "Hi"), masked(0x89, "p"), masked(0x88, hex("03e8"))));
        assertEquals(List.of("opened /chat p", "Text 'Hi'"), log.lines);
        assertEquals(List.of("bytes 8a0170", "bytes 880203e8"), sent(channel));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldKeepTheHandshakerWithTheHandlerThatCreatedIt() {
        MemoryChannel channel = Http.DECODER_AND_ENCODER.serverChannel(new WebSocketServerProtocolHandler("test"));
        ChannelHandlerContext handshake =
                channel.getPipeline().getContext(WebSocketServerProtocolHandshakeHandler.class);
        assertNull(WebSocketServerProtocolHandler.getHandshaker(handshake));
        channel.receive(bytes(request()));
        assertInstanceOf(WebSocketServerHandshaker13.class, WebSocketServerProtocolHandler.getHandshaker(handshake));
    }
}
