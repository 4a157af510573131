package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.handler.PendingClose;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** How a server's connection ends, with 3 seconds for the peer's part. */
class WebSocketCloseTest {
    private static final String CLOSE = "bytes 880203e8";
    private static final String GOING_AWAY = "bytes 880203e9";
    private static final byte[] CLOSE_OF_PEER = masked(0x88, hex("03e8"));

    private final FakeTimer timer = new FakeTimer();

    private MemoryChannel open(Duration closeTimeout) {
        MemoryChannel channel =
                Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/chat")
                        .timer(timer)
                        .closeTimeout(closeTimeout)
                        .build()));
        channel.receive(bytes(request()));
        takeSent(channel);
        assertEquals(0, timer.pendingTimeouts());
        return channel;
    }

    private MemoryChannel open() {
        return open(Duration.ofSeconds(3));
    }

    private static List<String> sent(MemoryChannel channel) {
        return Frames.describe(channel.takeWritten());
    }

    private static ChannelFuture sendClose(MemoryChannel channel) {
        return channel.write(new CloseWebSocketFrame(1000, ""));
    }

    private void advanceSeconds(int seconds) {
        timer.advance(Duration.ofSeconds(seconds));
    }

    private void assertTimedOut(MemoryChannel channel) {
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldGiveThePeerTimeOnceTheCloseFrameIsSent() {
        MemoryChannel channel = open().holdWrites();
        sendClose(channel);
        advanceSeconds(2);
        channel.completeWrites();
        timer.advance(Duration.ofMillis(2_999));
        assertTrue(channel.isOpen());
        timer.advance(Duration.ofMillis(1));
        assertTimedOut(channel);
    }

    /** A stopped timer refuses. */
    @Test
    void shouldLimitTheWaitForTheAnswerAlthoughTheTimerRefuses() {
        MemoryChannel channel = open(Duration.ofSeconds(1));
        timer.stop();
        sendClose(channel);
        assertEquals(List.of(CLOSE), sent(channel));
        assertTrue(channel.isOpen());
        Await.done(channel.getCloseFuture(), "the end of the time for an answer");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldAnswerACloseFrameAlthoughTheTimerRefuses() {
        MemoryChannel channel = open();
        timer.stop();
        channel.receive(ChannelBuffers.wrappedBuffer(CLOSE_OF_PEER));
        assertEquals(List.of(CLOSE), sent(channel));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSayGoingAwayAlthoughTheTimerRefuses() {
        MemoryChannel channel = open(Duration.ofSeconds(1));
        timer.stop();
        channel.getPipeline().sendUpstream(new DrainEvent(channel, () -> {}));
        channel.close();
        assertEquals(List.of(GOING_AWAY), sent(channel));
        Await.done(channel.getCloseFuture(), "the end of the time for an answer");
    }

    @Test
    void shouldLeaveNoTimeOutWhenItIsClosed() {
        MemoryChannel channel = open();
        sendClose(channel);
        assertTrue(timer.pendingTimeouts() > 0, "the peer's answer");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseIfThePeerTakesNothingBeforeTheCloseFrame() {
        MemoryChannel channel = open().holdWrites();
        sendClose(channel);
        timer.advance(Duration.ofMillis(2_999));
        assertTrue(channel.isOpen());
        timer.advance(Duration.ofMillis(1));
        assertTimedOut(channel);
    }

    @Test
    void shouldWaitWhileThePeerTakesWhatIsBeforeTheCloseFrame() {
        MemoryChannel channel = open().holdWrites();
        for (int i = 0; i < 4; i++) {
            channel.write(new TextWebSocketFrame("text"));
        }
        sendClose(channel);
        for (int i = 0; i < 4; i++) {
            advanceSeconds(2);
            channel.completeWrites(1);
        }
        advanceSeconds(3);
        assertTrue(channel.isOpen(), "something was sent between 6 and 9 seconds");
        advanceSeconds(1);
        assertTimedOut(channel);
    }

    @Test
    void shouldWaitForeverIfThereIsNoTimeOut() {
        MemoryChannel channel = open(Duration.ZERO).holdWrites();
        sendClose(channel);
        assertEquals(0, timer.pendingTimeouts());
        channel.completeWrites();
        assertEquals(0, timer.pendingTimeouts());
        assertTrue(channel.isOpen());
        channel.receive(ChannelBuffers.wrappedBuffer(CLOSE_OF_PEER));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldStartNoTimeOutOnceItIsRemoved() {
        MemoryChannel channel = open().holdWrites();
        sendClose(channel);
        channel.getPipeline().remove(WebSocketServerProtocolHandler.class);
        assertEquals(0, timer.pendingTimeouts());
        channel.completeWrites();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldNotAnswerTheAnswer() {
        MemoryChannel channel = open();
        sendClose(channel);
        assertEquals(List.of(CLOSE), sent(channel));
        channel.receive(ChannelBuffers.wrappedBuffer(CLOSE_OF_PEER));
        assertEquals(List.of(), sent(channel));
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldFailFramesAfterACloseFrameAndSayWhy() {
        MemoryChannel channel = open();
        sendClose(channel);
        ChannelFuture afterCloseFrame = channel.write(new TextWebSocketFrame("text"));
        assertInstanceOf(FrameAfterCloseException.class, afterCloseFrame.getCause());
        assertInstanceOf(FrameAfterCloseException.class, sendClose(channel).getCause());
        assertEquals(List.of(CLOSE), sent(channel));

        channel.close();
        ChannelFuture afterClose = channel.write(new TextWebSocketFrame("text"));
        assertInstanceOf(ClosedChannelException.class, afterClose.getCause());
        assertFalse(afterClose.getCause() instanceof FrameAfterCloseException);
    }

    @Test
    void shouldSendTheClosingHandshakeOfDraft00() {
        MemoryChannel channel = Http.CODEC.serverChannel(new WebSocketServerProtocolHandler("ws://x/y"));
        channel.receive(bytes("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                + "Origin: http://x\r\n\r\n"));
        takeSent(channel);
        channel.close();
        assertEquals(List.of("bytes ff00"), sent(channel));
        assertFalse(channel.isOpen());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldSendACloseFrameBeforeItDisconnects() {
        MemoryChannel channel = open();
        channel.disconnect();
        assertEquals(List.of(CLOSE), sent(channel));
        assertFalse(channel.isOpen());
    }

    /** A close sends what the transport takes without waiting. */
    @Test
    void shouldNotWaitUntilItsCloseFrameIsSent() {
        MemoryChannel channel = open().holdWrites();
        ChannelFuture closed = channel.close();
        assertEquals(List.of(CLOSE), sent(channel));
        assertTrue(closed.isSuccess());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSendNoCloseFrameOnAConnectionThatHasEnded() {
        MemoryChannel channel = open();
        String below = channel.getPipeline()
                .getContext(WebSocketServerProtocolHandler.class)
                .getName();
        channel.getPipeline().addBefore(below, "lower", (ChannelUpstreamHandler) (ctx, e) -> {
            if (!ctx.getChannel().isConnected()) {
                ctx.getChannel().close();
            }
            ctx.sendUpstream(e);
        });
        channel.takeDownstream();
        Channels.disconnect(channel.getPipeline().getContext("lower"), Channels.future(channel));
        assertFalse(channel.isOpen());
        assertTrue(channel.takeDownstream().stream().noneMatch(MessageEvent.class::isInstance));
    }

    @Test
    void shouldSendNoCloseFrameForOtherRequests() {
        MemoryChannel channel = open();
        channel.setInterestOps(0);
        channel.setReadable(true);
        channel.unbind();
        channel.write("other");
        assertEquals(List.of("other"), sent(channel));
    }

    // ---- while the channel is drained ----

    private static void drain(MemoryChannel channel) {
        ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    private static List<String> framesSent(MemoryChannel channel) {
        return sent(channel).stream().filter(text -> !text.equals("bytes ")).toList();
    }

    @Test
    void shouldNotWaitForTheAnswerIfThereIsNoTimeForIt() {
        MemoryChannel channel = open(Duration.ZERO);
        drain(channel);
        assertEquals(List.of("bytes 880203e9"), framesSent(channel));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** Each caller that asks for the close has a future of its own. */
    @Test
    void shouldCompleteARequestToCloseOnceThePeerHasAnswered() {
        MemoryChannel channel = open();
        String below = channel.getPipeline()
                .getContext(WebSocketServerProtocolHandler.class)
                .getName();
        channel.getPipeline().addAfter(below, "application", (ChannelUpstreamHandler) (ctx, e) -> {
            if (e instanceof DrainEvent drain) {
                drain.hold(ctx, "a game");
            }
            ctx.sendUpstream(e);
        });
        drain(channel);
        assertEquals(List.of(), framesSent(channel));
        ChannelFuture closed = Channels.future(channel);
        Channels.close(channel.getPipeline().getContext("application"), closed);
        assertEquals(List.of("bytes 880203e9"), framesSent(channel));
        assertFalse(closed.isDone());
        assertTrue(channel.isOpen());
        assertTrue(PendingClose.isClosing(channel), "other handlers know");
        channel.receive(ChannelBuffers.wrappedBuffer(CLOSE_OF_PEER));
        assertTrue(closed.isSuccess());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseIfTheCloseFrameCannotBeSent() {
        MemoryChannel channel = open().holdWrites();
        drain(channel);
        assertTrue(channel.isOpen());
        channel.failWrites(new IllegalStateException("planned"));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveAPongToTheApplicationIfItSendsNoPings() {
        MemoryChannel channel = open();
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x8a, hex("0000000000000000"))));
        assertEquals(List.of("Pong 0000000000000000"), received(channel));
    }

    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream()
                .filter(WebSocketFrame.class::isInstance)
                .map(Frames::describe)
                .toList();
    }
}
