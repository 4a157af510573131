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
