package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.unmasked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.WebSocketProof;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketClientProtocolHandlerTest {
    private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S{24})\r\n");

    private final FakeTimer timer = new FakeTimer();
    private final List<String> log = new ArrayList<>();
    private WebSocketClientProtocolHandler handler;

    private WebSocketClientConfig.Builder config() {
        return WebSocketClientConfig.builder(URI.create("ws://example.com/chat"))
                .timer(timer);
    }

    private MemoryChannel channel(Http http, WebSocketClientConfig.Builder config) {
        handler = new WebSocketClientProtocolHandler(config.build());
        return http.clientChannel(handler, new WebSocketHandler() {
            @Override
            public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
                log.add("opened " + e.getSubprotocol());
                ctx.getChannel().write(new TextWebSocketFrame("Hi"));
            }

            @Override
            public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
                log.add(Frames.describe(frame));
            }
        });
    }

    private static String answer(String request, String... headers) {
        Matcher key = KEY.matcher(request);
        assertTrue(key.find(), request);
        return HandshakeTexts.response(headers).replace(HandshakeTexts.ACCEPT, WebSocketProof.of(key.group(1)));
    }

    private MemoryChannel open(WebSocketClientConfig.Builder config) {
        MemoryChannel channel = channel(Http.CODEC, config);
        channel.receive(bytes(answer(takeSent(channel))));
        channel.takeWritten();
        return channel;
    }

    /** Returns what was written, unmasked. */
    private static List<String> sent(MemoryChannel channel) {
        MemoryChannel server = MemoryChannel.connected(new WebSocket13FrameDecoder(true, false));
        channel.takeWritten().forEach(server::receive);
        return Frames.describe(server.takeReceived());
    }

    private static void receive(MemoryChannel channel, byte[] bytes) {
        channel.receive(ChannelBuffers.wrappedBuffer(bytes));
    }

    // ---- the handshake ----

    /** The handler never connects to another address, so a redirect does not take credentials along. */
    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308, 401, 407})
    void shouldSendNothingMoreToAServerThatSendsItElsewhere(int status) {
        MemoryChannel channel = channel(Http.CODEC, config().header("Authorization", "Basic c2VjcmV0"));
        assertTrue(takeSent(channel).contains("\r\nAuthorization: Basic c2VjcmV0\r\n"));
        channel.receive(bytes("HTTP/1.1 " + status + " x\r\nLocation: ws://other.example/chat\r\n"
                + "WWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"));
        assertInstanceOf(
                WebSocketHandshakeException.class, handler.handshakeFuture().getCause());
        assertEquals("", takeSent(channel));
        assertFalse(channel.isOpen());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nX: y", "a\u0000", "a\u010a"})
    void shouldRefuseAHeaderThatWouldEndItsLine(String value) {
        assertThrows(IllegalArgumentException.class, () -> {
            MemoryChannel channel = channel(Http.CODEC, config().header("X", value));
            List<Throwable> caught = channel.takeCaught();
            assertEquals("", takeSent(channel));
            throw caught.isEmpty() ? new AssertionError("accepted") : caught.get(0);
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassFramesAfterTheHandshake(Http http) {
        MemoryChannel channel = channel(http, config().subprotocols("v2", "v1").header("X-Token", "t"));
        String request = takeSent(channel);
        assertTrue(request.startsWith("GET /chat HTTP/1.1\r\nHost: example.com\r\n"), request);
        assertTrue(request.contains("\r\nX-Token: t\r\n"), request);
        assertTrue(request.contains("\r\nSec-WebSocket-Protocol: v2,v1\r\n"), request);
        assertTrue(request.contains("\r\nSec-WebSocket-Extensions: permessage-deflate;"), request);
        assertFalse(handler.handshakeFuture().isDone());
        receive(
                channel,
                concat(
                        answer(request, "Sec-WebSocket-Protocol: v1").getBytes(ISO_8859_1),
                        unmasked(0x81, "first"),
                        unmasked(0x89, "p")));
        assertTrue(handler.handshakeFuture().isSuccess());
        assertEquals(List.of("opened v1", "Text 'first'"), log);
        assertEquals(List.of("Text 'Hi'", "Pong 70"), sent(channel));
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldWaitForTheFinalAnswer() {
        MemoryChannel channel = channel(Http.CODEC, config());
        String request = takeSent(channel);
        channel.receive(bytes("HTTP/1.1 103 Early Hints\r\n\r\n"));
        assertTrue(channel.isOpen());
        channel.receive(bytes(answer(request)));
        assertTrue(handler.handshakeFuture().isSuccess());
    }

    @Test
    void shouldFailIfTheServerRefuses() {
        MemoryChannel channel = channel(Http.CODEC, config());
        takeSent(channel);
        channel.receive(bytes("HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n"));
        shouldHaveFailed(channel, "the server did not switch to WebSocket: its status is 403 Forbidden");
        assertEquals(CloseReason.Kind.PROTOCOL, channel.getCloseReason().kind());
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldFailIfTheServerDoesNotAnswerInTime() {
        MemoryChannel channel = channel(Http.CODEC, config().handshakeTimeout(Duration.ofSeconds(5)));
        timer.advanceMillis(4999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        shouldHaveFailed(channel, "no handshake within 5000 ms");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldFailIfTheConnectionEndsBeforeTheAnswer() {
        MemoryChannel channel = channel(Http.CODEC, config());
        channel.close();
        assertInstanceOf(ClosedChannelException.class, handler.handshakeFuture().getCause());
        assertEquals(0, timer.pendingTimeouts());
    }

    private void shouldHaveFailed(MemoryChannel channel, String why) {
        Throwable cause = handler.handshakeFuture().getCause();
        assertInstanceOf(WebSocketHandshakeException.class, cause);
        assertEquals(why, cause.getMessage());
        assertEquals(List.of(cause), channel.takeCaught());
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
        assertEquals(List.of(), log);
    }

    @Test
    void shouldRefuseFrameBeforeTheHandshakeIsDone() {
        MemoryChannel channel = channel(Http.CODEC, config());
        takeSent(channel);
        assertInstanceOf(
                IllegalStateException.class,
                channel.write(new TextWebSocketFrame("early")).getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldHaveNoHandshakeFutureWithoutChannel() {
        WebSocketClientProtocolHandler alone = new WebSocketClientProtocolHandler(config().build());
        assertThrows(IllegalStateException.class, alone::handshakeFuture);
    }

    // ---- where the handler may be ----

    @Test
    void shouldRequestOnceItIsAddedToAConnectedChannel() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec());
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addLast("handler", handler);
        assertTrue(takeSent(channel).startsWith("GET /chat "));
    }

    @Test
    void shouldRequestNothingBeforeTheChannelIsConnected() {
        handler = new WebSocketClientProtocolHandler(config().build());
        MemoryChannel channel = MemoryChannel.open(new HttpClientCodec(), handler);
        assertEquals("", takeSent(channel));
        assertEquals(0, timer.pendingTimeouts());
        Channels.fireMessageReceived(channel.getPipeline().getContext(HttpClientCodec.class), HttpChunk.LAST_CHUNK);
        assertEquals(List.of(HttpChunk.LAST_CHUNK), channel.takeReceived(), "it waits for nothing yet");
        channel.close();
        assertEquals(List.of(), channel.takeCaught());
        assertInstanceOf(ClosedChannelException.class, handler.handshakeFuture().getCause());
    }

    @Test
    void shouldPassEventsOnBeforeAndAfterTheHandshake() {
        List<String> events = new ArrayList<>();
        handler = new WebSocketClientProtocolHandler(config().build());
        MemoryChannel channel = Http.CODEC.clientChannel(handler, (ChannelUpstreamHandler) (ctx, e) -> {
            if (e instanceof ChannelStateEvent state) {
                events.add(state.getState() + " " + state.getValue());
            }
        });
        assertTrue(events.stream().anyMatch(each -> each.startsWith("CONNECTED")), events.toString());
        channel.setReadable(false);
        channel.setReadable(true);
        assertTrue(events.stream().anyMatch(each -> each.startsWith("INTEREST_OPS")), events.toString());
        channel.receive(bytes(answer(takeSent(channel))));
        events.clear();
        channel.setReadable(false);
        assertTrue(events.stream().anyMatch(each -> each.startsWith("INTEREST_OPS")), events.toString());
        channel.close();
        assertTrue(events.contains("OPEN false"), events.toString());
    }

    /** Without a codec, other messages can come. */
    @Test
    void shouldLeaveOtherMessagesToTheApplication() {
        MemoryChannel channel = channel(Http.CODEC, config());
        String request = takeSent(channel);
        ChannelHandlerContext codec = channel.getPipeline().getContext(HttpClientCodec.class);
        Channels.fireMessageReceived(codec, "early");
        Channels.fireMessageReceived(codec, HttpChunk.LAST_CHUNK);
        assertEquals(List.of("early"), channel.takeReceived());
        channel.receive(bytes(answer(request)));
        ChannelHandlerContext decoder = channel.getPipeline().getContext(WebSocket13FrameDecoder.class);
        Channels.fireMessageReceived(decoder, "late");
        assertEquals(List.of("late"), channel.takeReceived());
        channel.takeWritten();
        channel.write("other");
        assertEquals(List.of("other"), channel.takeWritten());
    }

    @Test
    void shouldFailIfItIsRemovedBeforeTheAnswer() {
        MemoryChannel channel = channel(Http.CODEC, config());
        ChannelFuture handshake = handler.handshakeFuture();
        channel.getPipeline().remove(handler);
        assertInstanceOf(IllegalStateException.class, handshake.getCause());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldBeRemovableFromAPipelineWithoutAChannel() {
        WebSocketClientProtocolHandler unused = new WebSocketClientProtocolHandler(config().build());
        ChannelPipeline pipeline = Channels.pipeline(unused);
        assertThrows(IllegalStateException.class, unused::handshakeFuture);
        pipeline.remove(unused);
    }

    @Test
    void shouldLeaveNoTimeOutOnceItIsRemovedOrClosed() {
        MemoryChannel closed = open(config());
        closed.write(new CloseWebSocketFrame(1000, ""));
        closed.close();
        assertEquals(0, timer.pendingTimeouts());
        MemoryChannel removed = open(config());
        removed.write(new CloseWebSocketFrame(1000, ""));
        assertTrue(timer.pendingTimeouts() > 0);
        removed.getPipeline().remove(handler);
        assertEquals(0, timer.pendingTimeouts());
    }

    private static String nameOfCodec(MemoryChannel channel) {
        return channel.getPipeline().getContext(HttpClientCodec.class).getName();
    }

    @Test
    void shouldFailOnceIfItsRequestCannotBeSent() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec()).holdWrites();
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addAfter(nameOfCodec(channel), "handler", handler);
        IllegalStateException failure = new IllegalStateException("refused");
        channel.failWrites(failure);
        assertSame(failure, handler.handshakeFuture().getCause());
        assertEquals(List.of(failure), channel.takeCaught());
        assertEquals(CloseReason.Kind.WRITE_FAILED, channel.getCloseReason().kind());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFailOnceEvenIfTheRequestIsNeverSent() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec()).holdWrites();
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addAfter(nameOfCodec(channel), "handler", handler);
        timer.advance(Duration.ofSeconds(10));
        channel.failWrites(new IllegalStateException("refused"));
        assertEquals(1, channel.takeCaught().size());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 102, 199})
    void shouldWaitForTheAnswerAfter(int interim) {
        MemoryChannel channel = channel(Http.CODEC, config());
        String request = takeSent(channel);
        channel.receive(bytes("HTTP/1.1 " + interim + " x\r\n\r\n"));
        assertFalse(handler.handshakeFuture().isDone());
        channel.receive(bytes(answer(request)));
        assertTrue(handler.handshakeFuture().isSuccess());
    }

    @Test
    void shouldFailIfTheServerAnswersWithoutSwitching() {
        MemoryChannel channel = channel(Http.CODEC, config());
        takeSent(channel);
        channel.receive(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        shouldHaveFailed(channel, "the server did not switch to WebSocket: its status is 200 OK");
    }

    @Test
    void shouldAnswerThePingOfAServerOnceTheChannelIsWritable() {
        MemoryChannel channel = open(config());
        channel.turnWritable(false);
        receive(channel, unmasked(0x89, "p"));
        assertEquals(List.of(), sent(channel));
        channel.turnWritable(true);
        assertEquals(List.of("Pong 70"), sent(channel));
    }

    @Test
    void shouldRequestNothingIfItIsRemovedBeforeItsTurn() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec()).holdTasks();
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addAfter(nameOfCodec(channel), "handler", handler);
        channel.getPipeline().remove(handler);
        channel.runTasks();
        assertEquals("", takeSent(channel));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldRequestOnce() {
        MemoryChannel channel = MemoryChannel.connected(new HttpClientCodec()).holdTasks();
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addAfter(nameOfCodec(channel), "handler", handler);
        Channels.fireChannelConnected(channel, channel.getRemoteAddress());
        assertEquals(1, takeSent(channel).split("GET ", -1).length - 1);
        channel.runTasks();
        assertEquals("", takeSent(channel));
        assertEquals(1, timer.pendingTimeouts());
    }

    @Test
    void shouldRequestNothingWhenItIsAddedToAnUnconnectedChannel() {
        MemoryChannel channel = MemoryChannel.open(new HttpClientCodec());
        handler = new WebSocketClientProtocolHandler(config().build());
        channel.getPipeline().addAfter(nameOfCodec(channel), "handler", handler);
        assertEquals("", takeSent(channel));
        TextWebSocketFrame early = new TextWebSocketFrame("early");
        Channels.fireMessageReceived(channel.getPipeline().getContext(HttpClientCodec.class), early);
        assertEquals(List.of(early), channel.takeReceived(), "no handshake has begun");
    }

    @Test
    void shouldWaitForeverIfThereIsNoTimeOut() {
        MemoryChannel channel = channel(Http.CODEC, config().handshakeTimeout(Duration.ZERO));
        assertEquals(0, timer.pendingTimeouts());
        channel.receive(bytes(answer(takeSent(channel))));
        assertTrue(handler.handshakeFuture().isSuccess());
    }

    /** The time was over on the timer's thread before the answer was handled on the I/O thread. */
    @Test
    void shouldAcceptAnAnswerThatIsHandledBeforeTheTimeOut() {
        MemoryChannel channel = channel(Http.CODEC, config()).holdTasks();
        timer.advance(Duration.ofSeconds(10));
        channel.receive(bytes(answer(takeSent(channel))));
        channel.runTasks();
        assertTrue(handler.handshakeFuture().isSuccess());
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldIgnoreAnswersAfterAFailure() {
        MemoryChannel channel = channel(Http.CODEC, config());
        takeSent(channel);
        ChannelHandlerContext codec = channel.getPipeline().getContext(HttpClientCodec.class);
        HttpResponse refusal = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.FORBIDDEN);
        Channels.fireMessageReceived(codec, refusal);
        assertEquals(1, channel.takeCaught().size());
        Channels.fireMessageReceived(codec, refusal);
        Channels.fireMessageReceived(codec, "other");
        assertEquals(List.of(), channel.takeCaught());
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldPassOnWhatWasSentBeforeAndAfterTheHandshake() {
        MemoryChannel channel = channel(Http.CODEC, config());
        assertTrue(hasSent(channel), "the request");
        channel.receive(bytes(answer(takeSent(channel))));
        assertTrue(hasSent(channel), "Hi");
    }

    private static boolean hasSent(MemoryChannel channel) {
        return channel.takeUpstream().stream().anyMatch(WriteCompletionEvent.class::isInstance);
    }

    // ---- closing ----

    @Test
    void shouldAnswerCloseFrameAndWaitForTheServerToClose() {
        MemoryChannel channel = open(config());
        receive(channel, unmasked(0x88, hex("03e9 6279")));
        assertEquals(List.of("Close 1001 'by'"), sent(channel));
        timer.advanceMillis(2999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldWaitForTheServerToCloseAfterItsAnswer() {
        MemoryChannel channel = open(config());
        channel.write(new CloseWebSocketFrame(1000, ""));
        receive(channel, unmasked(0x88, hex("03e8")));
        assertEquals(List.of("Close 1000 ''"), sent(channel));
        assertTrue(channel.isOpen());
        timer.advanceMillis(3000);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSendCloseFrameBeforeItClosesTheChannel() {
        MemoryChannel channel = open(config());
        channel.close();
        assertEquals(List.of("Close 1000 ''"), sent(channel));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** The last frame of the server's output may be cut, or its output may have ended: nothing is left to wait for. */
    @Test
    void shouldSendACloseFrameAndCloseWhenTheServerBreaksTheRules() {
        MemoryChannel channel = open(config());
        receive(channel, unmasked(0xf1, "x"));
        assertEquals(List.of("Close 1002 ''"), sent(channel));
        assertFalse(channel.isOpen());
        assertEquals(1, channel.takeCaught().size());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldWaitWhileTheServerTakesWhatIsBeforeTheCloseFrame() {
        MemoryChannel channel = open(config()).holdWrites();
        channel.write(new TextWebSocketFrame("text"));
        channel.write(new CloseWebSocketFrame(1000, ""));
        timer.advance(Duration.ofSeconds(2));
        channel.completeWrites(1);
        timer.advance(Duration.ofSeconds(3));
        assertTrue(channel.isOpen(), "something was sent in the first 3 seconds");
        timer.advance(Duration.ofSeconds(1));
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    // ---- pings ----

    @Test
    void shouldCloseConnectionToUnresponsiveServer() {
        MemoryChannel channel = open(config().ping(Duration.ofSeconds(30), Duration.ofSeconds(10)));
        timer.advance(Duration.ofSeconds(30));
        assertEquals(List.of("Ping 0000000000000001"), sent(channel));
        receive(channel, unmasked(0x8a, hex("0000000000000001")));
        timer.advance(Duration.ofSeconds(30));
        assertEquals(List.of("Ping 0000000000000002"), sent(channel));
        receive(channel, unmasked(0x8a, hex("0000000000000001")));
        timer.advance(Duration.ofSeconds(20));
        assertInstanceOf(TimeoutException.class, channel.takeCaught().get(0));
        assertFalse(channel.isOpen());
    }
}
