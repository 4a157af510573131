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

import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** Pings every 30 seconds, with 10 seconds for the pong: which peers are considered dead, and when. */
class WebSocketKeepAliveTest {
    private static final String PING = "bytes 89080000000000000001";
    private static final byte[] PONG = masked(0x8a, hex("0000000000000001"));

    private final FakeTimer timer = new FakeTimer();

    private WebSocketServerProtocolHandler handler() {
        return new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/chat")
                .timer(timer)
                .ping(Duration.ofSeconds(30), Duration.ofSeconds(10))
                .build());
    }

    private MemoryChannel open() {
        return afterHandshake(Http.CODEC.serverChannel(handler()));
    }

    private static MemoryChannel afterHandshake(MemoryChannel channel) {
        channel.receive(bytes(request()));
        takeSent(channel);
        return channel;
    }

    private void advanceSeconds(int seconds) {
        timer.advance(Duration.ofSeconds(seconds));
    }

    private static List<String> sent(MemoryChannel channel) {
        return Frames.describe(channel.takeWritten());
    }

    private static void receive(MemoryChannel channel, byte[] bytes) {
        channel.receive(ChannelBuffers.wrappedBuffer(bytes));
    }

    private static void assertGone(MemoryChannel channel, String message) {
        Throwable caught = channel.takeCaught().get(0);
        assertInstanceOf(TimeoutException.class, caught);
        assertEquals(message, caught.getMessage());
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNotCountTimeInWhichTheChannelIsNotRead() {
        MemoryChannel channel = open();
        channel.setReadable(false);
        advanceSeconds(3600);
        assertEquals(List.of(PING), sent(channel));
        assertTrue(channel.isOpen());
        channel.setReadable(true);
        advanceSeconds(7);
        assertTrue(channel.isOpen(), "the pong is in the socket and needs time to be read");
        receive(channel, PONG);
        advanceSeconds(29);
        assertTrue(channel.isOpen());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldNotCountAQuarterWithABriefSuspensionOfReading() {
        MemoryChannel channel = open();
        advanceSeconds(31);
        channel.setReadable(false);
        channel.setReadable(true);
        advanceSeconds(10);
        assertTrue(channel.isOpen());
        advanceSeconds(2);
        assertGone(channel, "no pong within 10000 ms");
    }

    @Test
    void shouldCloseIfNoPongArrivesAfterReadingIsResumed() {
        MemoryChannel channel = open();
        channel.setReadable(false);
        advanceSeconds(3600);
        channel.setReadable(true);
        advanceSeconds(13);
        assertGone(channel, "no pong within 10000 ms");
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldTimeThePongFromWhenThePingWasSent() {
        MemoryChannel channel = open().holdWrites();
        advanceSeconds(30);
        assertEquals(List.of(PING), sent(channel));
        advanceSeconds(9);
        channel.completeWrites();
        advanceSeconds(9);
        assertTrue(channel.isOpen());
        advanceSeconds(1);
        assertGone(channel, "no pong within 10000 ms");
    }

    @Test
    void shouldNotWriteAPingBehindABacklogButWaitWhileTheBacklogShrinks() {
        MemoryChannel channel = open().holdWrites();
        for (int i = 0; i < 30; i++) {
            channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[8 * 1024])));
        }
        assertFalse(channel.isWritable());
        channel.takeWritten();
        advanceSeconds(30);
        for (int i = 0; i < 20; i++) {
            advanceSeconds(9);
            channel.completeWrites(1);
        }
        assertTrue(channel.isOpen());
        assertEquals(List.of(), sent(channel));
        channel.completeWrites();
        assertEquals(List.of(PING), sent(channel));
        channel.completeWrites();
        receive(channel, PONG);
        advanceSeconds(29);
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldCloseIfThePeerTakesNothingOfABacklog() {
        MemoryChannel channel = open().holdWrites();
        channel.write(new BinaryWebSocketFrame(ChannelBuffers.wrappedBuffer(new byte[100 * 1024])));
        advanceSeconds(39);
        assertTrue(channel.isOpen());
        advanceSeconds(1);
        assertGone(channel, "the peer has accepted no bytes, not even a ping, for 10000 ms");
    }

    @Test
    void shouldNotBlameThePeerForAPingHeldByAHandlerBelow() {
        SimpleChannelDownstreamHandler shaper = new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                timer.newTimeout(t -> super.writeRequested(ctx, e), 1, java.util.concurrent.TimeUnit.HOURS);
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new HttpServerCodec(), handler());
        afterHandshake(channel);
        channel.getPipeline().addFirst("shaper", shaper);
        advanceSeconds(3600);
        assertTrue(channel.isOpen());
        advanceSeconds(30);
        assertEquals(List.of(PING), sent(channel));
        receive(channel, PONG);
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldPingEvenIfUsersHaveMadeTheChannelUnwritable() {
        MemoryChannel channel = open();
        channel.setUserDefinedWritability(1, false);
        advanceSeconds(30);
        assertEquals(List.of(PING), sent(channel));
    }

    /** A pause of the loop's thread or of the whole machine: the pong has arrived but was not read. */
    @Test
    void shouldAllowTimeToReadAfterTheThreadWasBlocked() {
        MemoryChannel channel = open().holdTasks();
        timer.advanceMillis(30_000);
        channel.runTasks();
        advanceSeconds(60);
        channel.runTasks();
        assertTrue(channel.isOpen());
        receive(channel, PONG);
        advanceSeconds(7);
        channel.runTasks();
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldPingAgainAfterARefusedPing() {
        MemoryChannel channel = open().holdWrites();
        advanceSeconds(30);
        channel.failWrites(new IllegalStateException("refused"));
        assertEquals(List.of(PING), sent(channel));
        advanceSeconds(30);
        assertEquals(List.of("bytes 89080000000000000002"), sent(channel));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldNotPingAfterACloseFrame() {
        MemoryChannel channel = open();
        channel.write(new CloseWebSocketFrame(1000, ""));
        sent(channel);
        timer.advance(Duration.ofMillis(2999));
        assertEquals(List.of(), sent(channel));
        advanceSeconds(60);
        assertEquals(List.of(), channel.takeCaught());
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    private static List<String> received(MemoryChannel channel) {
        return channel.takeReceived().stream()
                .filter(WebSocketFrame.class::isInstance)
                .map(Frames::describe)
                .toList();
    }

    @Test
    void shouldLeavePongsThatAnswerNoPingToTheApplication() {
        MemoryChannel channel = open();
        receive(channel, masked(0x8a, hex("0000000000000000")));
        assertEquals(List.of("Pong 0000000000000000"), received(channel), "no ping was sent yet");
        advanceSeconds(30);
        receive(channel, masked(0x8a, hex("0000000000000002")));
        receive(channel, masked(0x8a, hex("00000000000001")));
        receive(channel, masked(0x8a, hex("000000000000000100")));
        assertEquals(
                List.of("Pong 0000000000000002", "Pong 00000000000001", "Pong 000000000000000100"), received(channel));
        receive(channel, PONG);
        assertEquals(List.of(), received(channel), "it is ours");
        receive(channel, PONG);
        assertEquals(List.of("Pong 0000000000000001"), received(channel), "it was answered before");
        receive(channel, masked(0x82, hex("0000000000000001")));
        assertEquals(List.of("Binary 0000000000000001"), received(channel));
    }

    @Test
    void shouldAcceptAPongThatArrivesBeforeItsPingIsKnownToBeSent() {
        MemoryChannel channel = open().holdWrites();
        advanceSeconds(30);
        receive(channel, PONG);
        assertEquals(List.of(), received(channel));
        channel.completeWrites();
        advanceSeconds(29);
        assertTrue(channel.isOpen());
        assertEquals(List.of(PING), sent(channel));
        advanceSeconds(1);
        assertEquals(List.of("bytes 89080000000000000002"), sent(channel));
    }

    @Test
    void shouldNotTakeAnEarlierPingForTheOneThatWaits() {
        MemoryChannel channel = open().holdWrites();
        advanceSeconds(30);
        receive(channel, PONG);
        advanceSeconds(30);
        channel.completeWrites(1);
        advanceSeconds(20);
        assertGone(channel, "the peer has accepted no bytes, not even a ping, for 10000 ms");
    }

    @Test
    void shouldCloseIfThePeerDoesNotEvenTakeThePing() {
        MemoryChannel channel = open().holdWrites();
        advanceSeconds(39);
        assertTrue(channel.isOpen());
        advanceSeconds(1);
        assertGone(channel, "the peer has accepted no bytes, not even a ping, for 10000 ms");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldSendOnePingAtATime() {
        MemoryChannel channel = open();
        advanceSeconds(30);
        assertEquals(List.of(PING), sent(channel));
        channel.write(new TextWebSocketFrame("x"));
        channel.setUserDefinedWritability(1, false);
        channel.setUserDefinedWritability(1, true);
        advanceSeconds(9);
        assertEquals(List.of("bytes 810178"), sent(channel));
    }

    @Test
    void shouldPingAgainAfterAPingThatIsRefusedImmediately() {
        MemoryChannel channel = open();
        channel.getPipeline().addFirst("refuser", new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                e.getFuture().setFailure(new IllegalStateException("refused"));
            }
        });
        advanceSeconds(45);
        channel.getPipeline().remove("refuser");
        advanceSeconds(14);
        assertEquals(List.of(), sent(channel));
        advanceSeconds(1);
        assertEquals(List.of("bytes 89080000000000000002"), sent(channel));
    }

    @Test
    void shouldNotLetChangesOfWritabilityKeepADeadPeer() {
        MemoryChannel channel = open();
        advanceSeconds(30);
        for (int i = 0; i < 9; i++) {
            advanceSeconds(1);
            channel.setUserDefinedWritability(1, i % 2 != 0);
        }
        assertTrue(channel.isOpen());
        advanceSeconds(1);
        assertGone(channel, "no pong within 10000 ms");
    }

    @Test
    void shouldPingOnceTheBacklogIsGoneEvenIfTheChannelStaysUnwritable() {
        MemoryChannel channel = open().holdWrites();
        channel.setUserDefinedWritability(1, false);
        channel.write(new TextWebSocketFrame("x"));
        advanceSeconds(30);
        assertEquals(List.of("bytes 810178"), sent(channel));
        channel.completeWrites();
        assertEquals(List.of(PING), sent(channel));
    }

    @Test
    void shouldPingOnceTheChannelIsWritableEvenIfNothingIsSent() {
        MemoryChannel channel = open().holdWrites();
        channel.setUserDefinedWritability(1, false);
        channel.write(new TextWebSocketFrame("x"));
        advanceSeconds(30);
        assertEquals(List.of("bytes 810178"), sent(channel));
        channel.setUserDefinedWritability(1, true);
        assertEquals(List.of(PING), sent(channel));
    }

    @Test
    void shouldNotCountAQuarterThatBeganWhileReadingWasSuspended() {
        MemoryChannel channel = open();
        advanceSeconds(31);
        channel.setReadable(false);
        advanceSeconds(5);
        channel.setReadable(true);
        advanceSeconds(11);
        assertTrue(channel.isOpen(), "four quarters after 37.5 seconds");
        advanceSeconds(1);
        assertGone(channel, "no pong within 10000 ms");
    }

    @Test
    void shouldLeaveAClosingConnectionToTheCloseTimeOut() {
        MemoryChannel channel = afterHandshake(
                Http.CODEC.serverChannel(new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/chat")
                        .timer(timer)
                        .ping(Duration.ofSeconds(30), Duration.ofSeconds(10))
                        .closeTimeout(Duration.ofSeconds(60))
                        .build())));
        advanceSeconds(31);
        channel.write(new CloseWebSocketFrame(1000, ""));
        advanceSeconds(59);
        assertTrue(channel.isOpen());
        advanceSeconds(1);
        assertFalse(channel.isOpen());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldReportATimerThatRefusesItsNextPing() {
        MemoryChannel channel = open();
        advanceSeconds(30);
        timer.stop();
        receive(channel, PONG);
        assertInstanceOf(IllegalStateException.class, channel.takeCaught().get(0));
        assertTrue(channel.isOpen());
    }

    @Test
    void shouldContinueEvenIfATimeOutRunsOutOfMemory() {
        MemoryChannel channel = open().scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> advanceSeconds(30));
        Await.until(() -> timer.pendingTimeouts() == 1, "the ping and its time-out");
        assertEquals(List.of(PING), sent(channel));
        channel.scarceTasks(new Scarcity(1));
        advanceSeconds(3);
        Scarcity.survive(() -> advanceSeconds(2));
        Await.until(() -> timer.pendingTimeouts() == 1, "the next check");
        advanceSeconds(10);
        assertGone(channel, "no pong within 10000 ms");
    }
}
