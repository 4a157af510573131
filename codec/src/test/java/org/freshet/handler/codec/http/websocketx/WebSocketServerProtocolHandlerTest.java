package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.END;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.endInput;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketServerProtocolHandlerTest {
    private final FakeTimer timer = new FakeTimer();

    /** The notifications, in order. */
    private static final class Log extends WebSocketHandler {
        final List<String> lines = new ArrayList<>();

        @Override
        public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
            lines.add("opened " + ((HttpRequest) e.getHttpMessage()).getUri() + " " + e.getSubprotocol());
            ctx.getChannel().write(new TextWebSocketFrame("welcome"));
        }

        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            lines.add(Frames.describe(frame));
        }
    }

    private final Log log = new Log();

    private WebSocketServerConfig.Builder config() {
        return WebSocketServerConfig.builder("/chat").timer(timer);
    }

    private MemoryChannel channel(WebSocketServerConfig.Builder config) {
        return Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config.build()), log);
    }

    /** A channel after the handshake, with its output so far removed. */
    private MemoryChannel open(WebSocketServerConfig.Builder config) {
        MemoryChannel channel = channel(config);
        channel.receive(bytes(request()));
        takeSent(channel);
        return channel;
    }

    private static void receive(MemoryChannel channel, byte[] bytes) {
        channel.receive(ChannelBuffers.wrappedBuffer(bytes));
    }

    private static List<String> sent(MemoryChannel channel) {
        return Frames.describe(channel.takeWritten());
    }

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

    /** Its rest would be read as frames, or frames would be read as its rest. */
    @ParameterizedTest
    @CsvSource({
        "Transfer-Encoding: chunked, ''",
        "Transfer-Encoding: chunked, '0|'",
        "Transfer-Encoding: chunked, '3|abc|'",
        "Transfer-Encoding: chunked, '3|abc|0||'",
        "Content-Length: 3, ''",
        "Content-Length: 3, a",
        "Content-Length: 3, abc",
        "Content-Length: 20000, ''",
        "Content-Length: 20000, abc"
    })
    void shouldRefuseARequestWithContentWhereverItIsCut(String header, String body) {
        byte[] input = (request(header) + body.replace("|", "\r\n")).getBytes(ISO_8859_1);
        for (Http http : Http.values()) {
            for (String netty3 : new String[] {null, "ws://x/y"}) {
                for (int cut = 1; cut <= input.length; cut++) {
                    MemoryChannel channel = http.serverChannel(
                            netty3 == null
                                    ? new WebSocketServerProtocolHandler(config().build())
                                    : new WebSocketServerProtocolHandler(netty3));
                    channel.receive(ChannelBuffers.copiedBuffer(input, 0, cut));
                    channel.receive(ChannelBuffers.copiedBuffer(input, cut, input.length - cut));
                    String sent = takeSent(channel);
                    assertTrue(sent.isEmpty() || sent.startsWith("HTTP/1.1 400 "), cut + " " + sent);
                    assertEquals(List.of(), channel.takeReceived());
                }
            }
        }
    }

    /** Draft 00 has eight bytes of content; hixie-75 has no keys and no content. */
    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Content-Length: 20000", "Content-Length: 3"})
    void shouldRefuseARequestOfHixie75WithContent(String header) {
        String request = "GET /chat HTTP/1.1\r\nHost: example.com\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                + "Origin: http://example.com\r\n" + header + "\r\n\r\n";
        for (Http http : Http.values()) {
            MemoryChannel channel = http.serverChannel(new WebSocketServerProtocolHandler("ws://x/y"));
            channel.receive(bytes(request));
            channel.receive(bytes("3\r\nabc"));
            String sent = takeSent(channel);
            assertTrue(sent.isEmpty() || sent.startsWith("HTTP/1.1 400 "), sent);
            assertEquals(List.of(), channel.takeReceived());
        }
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Upgrade: websocket\\r\\n | '' | 400 | cannot switch the request to WebSocket: Upgrade does not name websocket",
                "GET | POST | 400 | cannot switch the request to WebSocket: its method is POST",
                "Sec-WebSocket-Key: | X: | 400 | cannot switch the request to WebSocket: it has no key",
                "Host | Origin: http://evil.example\\r\\nHost | 403 | origin not allowed",
                "Host | Origin: null\\r\\nHost | 403 | origin not allowed",
                "Host | Origin: http://example.com:81\\r\\nHost | 403 | origin not allowed",
            })
    void shouldAnswerAnInvalidHandshakeAndClose(String part, String instead, int status, String why) {
        for (Http http : Http.values()) {
            MemoryChannel channel = http.serverChannel(new WebSocketServerProtocolHandler(config().build()));
            channel.receive(
                    bytes(request().replace(part.replace("\\r\\n", "\r\n"), instead.replace("\\r\\n", "\r\n"))));
            String sent = takeSent(channel);
            assertTrue(sent.startsWith("HTTP/1.1 " + status + ' '), sent);
            assertTrue(sent.contains("\r\nConnection: close\r\n"), sent);
            assertTrue(sent.endsWith("\r\n\r\n" + why + END), sent);
            assertTrue(channel.isOpen());
            endInput(channel);
            assertFalse(channel.isOpen());
            assertEquals(List.of(), channel.takeReceived());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "7", "14"})
    void shouldAnswerOtherVersionsWith426AndClose(String version) {
        MemoryChannel channel = channel(config());
        channel.receive(bytes(request().replace("Version: 13", "Version: " + version)));
        assertEquals(
                "HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n" + END,
                takeSent(channel));
        endInput(channel);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldDropInputFromARefusedClientUntilItEnds() {
        MemoryChannel channel = channel(config().allowIf(request -> false));
        channel.receive(bytes(request() + "more"));
        channel.receive(bytes(request()));
        assertEquals(1, takeSent(channel).split("HTTP/1.1 403 ", -1).length - 1);
        assertEquals(List.of(), channel.takeReceived());
        assertTrue(channel.isOpen());
        assertTrue(timer.pendingTimeouts() > 0, "nothing closes if the client does not");
        endInput(channel);
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
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
    void shouldCloseConnectionWhoseHandshakeTakesTooLong() {
        MemoryChannel channel = channel(config().handshakeTimeout(Duration.ofSeconds(5)));
        channel.receive(bytes("GET /chat HTTP/1.1\r\n"));
        timer.advanceMillis(4999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldLimitTheHandshakeAlthoughTheTimerIsStopped() {
        timer.stop();
        MemoryChannel channel = channel(config().handshakeTimeout(Duration.ofMillis(1)));
        Await.done(channel.getCloseFuture(), "the end of the time for a handshake");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldEndAConnectionSoonIfThereIsNoMemoryForTheTimeOfItsHandshake() {
        RefusingTimer full = new RefusingTimer(new OutOfMemoryError("the timer's"));
        MemoryChannel channel = channel(config().timer(full).handshakeTimeout(Duration.ofHours(1)));
        Await.done(channel.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldLeaveNoTimeoutAfterTheHandshake() {
        MemoryChannel channel = open(config());
        assertEquals(0, timer.pendingTimeouts());
        timer.advance(Duration.ofHours(1));
        assertTrue(channel.isOpen());
    }

    // ---- pings ----

    @Test
    void shouldAnswerPings() {
        MemoryChannel channel = open(config());
        receive(channel, concat(masked(0x89, "one"), masked(0x89, ""), masked(0x8a, "unasked")));
        assertEquals(List.of("bytes 8a036f6e65", "bytes 8a00"), sent(channel));
        assertEquals("Pong 756e61736b6564", log.lines.get(1));
    }

    @Test
    void shouldHaveBeenClosedByThePeerWhoseCloseFrameIsAnswered() {
        MemoryChannel channel = open(config());
        receive(channel, masked(0x88, ""));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.PEER_CLOSED, channel.getCloseReason().kind());
    }

    @Test
    void shouldAnswerOnlyTheLatestPingFromAPeerThatDoesNotRead() {
        MemoryChannel channel = open(config());
        channel.turnWritable(false);
        for (int i = 0; i < 1000; i++) {
            receive(channel, masked(0x89, "ping " + i));
        }
        assertEquals(List.of(), sent(channel));
        channel.turnWritable(true);
        assertEquals(List.of("bytes 8a0870696e6720393939"), sent(channel));
    }

    @Test
    void shouldPingAndContinueAfterThePong() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        timer.advanceMillis(29_999);
        assertEquals(List.of(), sent(channel));
        timer.advanceMillis(1);
        assertEquals(List.of("bytes 89080000000000000001"), sent(channel));
        receive(channel, masked(0x8a, hex("0000000000000001")));
        timer.advanceMillis(29_999);
        assertEquals(List.of(), sent(channel));
        timer.advanceMillis(1);
        assertEquals(List.of("bytes 89080000000000000002"), sent(channel));
        assertEquals(1, log.lines.size(), "pongs that answer its own pings are not passed up");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseUnresponsiveConnection() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        timer.advance(Duration.ofSeconds(39));
        sent(channel);
        assertTrue(channel.isOpen());
        timer.advance(Duration.ofSeconds(1));
        List<Throwable> caught = channel.takeCaught();
        assertInstanceOf(TimeoutException.class, caught.get(0));
        assertEquals("no pong within 10000 ms", caught.get(0).getMessage());
        assertFalse(channel.isOpen());
        assertEquals(List.of(), sent(channel));
    }

    @Test
    void shouldNotConsiderAPeerDeadThatIsSendingALongMessage() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        byte[] message = masked(0x82, new byte[10]);
        for (int i = 0; i < message.length; i++) {
            timer.advance(Duration.ofSeconds(9));
            receive(channel, new byte[] {message[i]});
        }
        assertTrue(channel.isOpen());
        assertEquals("Binary " + "00".repeat(10), log.lines.get(1));
        timer.advance(Duration.ofSeconds(100));
        assertFalse(channel.isOpen());
    }

    // ---- closing ----

    @Test
    void shouldAnswerCloseFrameAndClose() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, concat(masked(0x88, hex("0fa0 6f6b")), masked(0x81, "late")));
        assertEquals(List.of("bytes 88040fa06f6b"), sent(channel));
        assertInstanceOf(
                ClosedChannelException.class,
                channel.write(new TextWebSocketFrame("late")).getCause());
        assertTrue(channel.isOpen());
        channel.completeWrites();
        assertFalse(channel.isOpen());
        assertEquals(1, log.lines.size());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldCloseConnectionEvenIfTheAnswerToCloseFrameCannotBeWritten() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, masked(0x88, ""));
        timer.advanceMillis(2999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseOnceItsCloseFrameIsAnswered() {
        MemoryChannel channel = open(config());
        assertTrue(channel.write(new CloseWebSocketFrame(1001, "bye")).isSuccess());
        assertEquals(List.of("bytes 880503e9627965"), sent(channel));
        assertTrue(channel.isOpen());
        for (WebSocketFrame late :
                List.of(new TextWebSocketFrame("late"), new PingWebSocketFrame(), new CloseWebSocketFrame(1000, ""))) {
            assertInstanceOf(ClosedChannelException.class, channel.write(late).getCause());
        }
        receive(channel, concat(masked(0x81, "still on its way"), masked(0x89, "p"), masked(0x88, hex("03e9"))));
        assertEquals("Text 'still on its way'", log.lines.get(1));
        assertEquals(List.of(), sent(channel));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseIfItsCloseFrameIsNotAnswered() {
        MemoryChannel channel = open(config().closeTimeout(Duration.ofSeconds(7)));
        channel.write(new CloseWebSocketFrame(1000, ""));
        timer.advanceMillis(6999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(List.of("bytes 880203e8"), sent(channel));
    }

    @Test
    void shouldSendCloseFrameBeforeItClosesTheChannel() {
        MemoryChannel channel = open(config());
        channel.close();
        assertEquals(List.of("bytes 880203e8"), sent(channel));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSendOneCloseFrameOnly() {
        MemoryChannel channel = open(config());
        channel.write(new CloseWebSocketFrame(1011, "")).addListener(ChannelFutureListener.CLOSE);
        assertEquals(List.of("bytes 880203f3"), sent(channel));
        assertFalse(channel.isOpen());
        MemoryChannel refused = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(config().build()));
        refused.receive(bytes(request()));
        takeSent(refused);
        receive(refused, hex("8100"));
        assertEquals(List.of("bytes 880203ea", "end of the output"), sent(refused));
        endInput(refused);
        assertFalse(refused.isOpen());
        assertEquals(1, refused.takeCaught().size());
    }

    /** The application may write until the close frame is sent and the connection closed. */
    @Test
    void shouldSendNothingAfterTheCloseFrameThatAnswersAFault() {
        MemoryChannel channel = open(config()).holdWrites();
        receive(channel, hex("8100"));
        assertEquals(List.of("bytes 880203ea"), sent(channel));
        for (WebSocketFrame late :
                List.of(new TextWebSocketFrame("late"), new PongWebSocketFrame(), new CloseWebSocketFrame(1000, ""))) {
            Throwable refused = channel.write(late).getCause();
            assertInstanceOf(ClosedChannelException.class, refused);
            assertEquals(
                    "cannot send a " + late.getClass().getSimpleName() + ": a close frame was already sent or received",
                    refused.getMessage());
        }
        channel.completeWrites();
        endInput(channel);
        assertFalse(channel.isOpen());
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

    @Test
    void shouldAnswerHttpRequestAfterTheHandshakeWith403() {
        MemoryChannel channel =
                Http.DECODER_AND_ENCODER.serverChannel(new WebSocketServerProtocolHandshakeHandler("x", null, false));
        channel.receive(bytes(request()));
        takeSent(channel);
        channel.getPipeline().addLast("encoder", new HttpResponseEncoder());
        channel.receive(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/again"));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 403 Forbidden\r\n"));
    }

    @Test
    void shouldRefuseInvalidSettings() {
        assertThrows(IllegalArgumentException.class, () -> config().closeTimeout(Duration.ofMillis(-1)));
        assertThrows(IllegalArgumentException.class, () -> config().ping(Duration.ofSeconds(1), Duration.ZERO));
        assertThrows(
                IllegalArgumentException.class, () -> WebSocketClientConfig.builder(URI.create("http://example.com/")));
    }

    // ---- draining ----

    private static ChannelDrain drain(MemoryChannel channel) {
        return ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    @Test
    void shouldSendGoingAwayAndWaitForTheAnswerWhenDrained() {
        MemoryChannel channel = open(config());

        ChannelDrain drain = drain(channel);
        assertEquals(
                List.of("bytes 880203e9"),
                sent(channel).stream().filter(text -> !text.equals("bytes ")).toList());
        assertTrue(channel.isOpen());
        receive(channel, masked(0x88, hex("03e9")));

        assertFalse(channel.isOpen());
        assertEquals(ChannelDrain.Outcome.IDLE, drain.ended().join().outcome());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldNotWaitLongForTheAnswerWhenDrained() {
        MemoryChannel channel = open(config().closeTimeout(Duration.ofSeconds(7)));
        drain(channel);
        timer.advanceMillis(6999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNotSendGoingAwayWhileTheApplicationHoldsTheChannel() {
        MemoryChannel channel = open(config());
        List<DrainEvent.Hold> holds = new ArrayList<>();
        channel.getPipeline().addAfter(channel.context(log).getName(), "game", (ChannelUpstreamHandler) (ctx, e) -> {
            if (e instanceof DrainEvent drain) {
                holds.add(drain.hold(ctx, "a game"));
            }
            ctx.sendUpstream(e);
        });
        drain(channel);

        channel.write(new TextWebSocketFrame("one more"));
        assertEquals(List.of("bytes 81086f6e65206d6f7265"), sent(channel));
        holds.get(0).release();

        assertTrue(sent(channel).contains("bytes 880203e9"));
    }

    @Test
    void shouldSendGoingAwayAfterAHandshakeDuringADrain() {
        MemoryChannel channel = channel(config());
        drain(channel);
        channel.receive(bytes(request()));

        assertTrue(takeSent(channel).endsWith("\u0088\u0002\u0003\u00e9"));
    }

    @Test
    void shouldCloseImmediatelyWhenTheDrainIsOver() {
        MemoryChannel channel = open(config());
        ChannelDrain drain = drain(channel);

        drain.cut();

        assertFalse(channel.isOpen());
    }
}
