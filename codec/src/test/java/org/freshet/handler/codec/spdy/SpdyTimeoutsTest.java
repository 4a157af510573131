package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.queue.BufferedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers that keep a session waiting. */
class SpdyTimeoutsTest {
    private static final int WINDOW = 64 * 1024;

    private final FakeTimer timer = new FakeTimer();
    private MemoryChannel session =
            MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults(), timer));

    @AfterEach
    void shouldLeaveNoTimer() {
        session.close();
        session.close();
        session.completeWrites();
        assertEquals(0, timer.pendingTimeouts());
    }

    private static SpdyDataFrame data(int id, int length, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(id);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[length]));
        frame.setLast(last);
        return frame;
    }

    private void open(int id, boolean last) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        frame.setLast(last);
        session.receive(frame);
        session.write(new DefaultSpdySynReplyFrame(id));
    }

    private void passSeconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            timer.advanceMillis(1_000);
        }
    }

    private List<SpdyRstStreamFrame> takeResets() {
        return session.takeWritten().stream()
                .filter(SpdyRstStreamFrame.class::isInstance)
                .map(SpdyRstStreamFrame.class::cast)
                .toList();
    }

    @Test
    void shouldHaveTheirStreamResetIfItsWindowStaysClosed() {
        open(1, true);
        open(3, true);
        ChannelFuture waiting = session.write(data(1, WINDOW + 1, true));
        passSeconds(29);
        assertFalse(waiting.isDone());
        passSeconds(16);
        assertInstanceOf(SpdyProtocolException.class, waiting.getCause());
        List<SpdyRstStreamFrame> resets = takeResets();
        assertEquals(1, resets.size());
        assertEquals(SpdyStreamStatus.CANCEL, resets.get(0).getStatus());
        assertTrue(session.isOpen());
        assertTrue(session.write(data(3, 0, true)).isSuccess());
    }

    @Test
    void shouldNotKeepAClosingSessionIfTheTimerRefuses() {
        MemoryChannel closing = MemoryChannel.connected(new SpdySessionHandler(
                SpdyVersion.SPDY_3_1,
                true,
                SpdyTimeouts.defaults(),
                new RefusingTimer(new IllegalStateException("refused by a test"))));
        closing.close();
        Await.done(closing.getCloseFuture(), "the end of the session");
    }

    @Test
    void shouldHaveTheirStreamResetAlthoughTheTimerIsStopped() {
        session.close();
        timer.stop();
        SpdyTimeouts times = SpdyTimeouts.defaults().withWriteStall(Duration.ofMillis(20));
        session = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, times, timer));
        open(1, true);
        ChannelFuture waiting = session.write(data(1, WINDOW + 1, true));
        assertInstanceOf(SpdyProtocolException.class, Await.failure(waiting, "the reset"));
    }

    @Test
    void shouldBeWaitedForAsLongAsTheirWindowsKeepOpening() {
        open(1, true);
        ChannelFuture waiting = session.write(data(1, WINDOW + 20_000, true));
        for (int i = 0; i < 10; i++) {
            passSeconds(25);
            assertFalse(waiting.isDone());
            session.receive(new DefaultSpdyWindowUpdateFrame(0, 2_000));
            session.receive(new DefaultSpdyWindowUpdateFrame(1, 2_000));
        }
        assertTrue(waiting.isSuccess());
    }

    @Test
    void shouldLoseAConnectionFromWhichTheyReadNothing() {
        open(1, true);
        session.holdWrites();
        session.write(data(1, 10, true));
        passSeconds(29);
        assertTrue(session.isOpen());
        passSeconds(16);
        assertFalse(session.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, session.getCloseReason().kind());
    }

    @Test
    void shouldNotBeBlamedForOutputHeldByHandlersAboveTheSession() {
        BufferedWriteHandler above = new BufferedWriteHandler();
        MemoryChannel held = MemoryChannel.connected(
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults(), timer), above);
        held.receive(new DefaultSpdySynStreamFrame(1, 0, (byte) 0));
        held.write(new DefaultSpdySynReplyFrame(1));
        held.write(data(1, WINDOW + 1, true));
        above.flush();
        held.write(data(1, 1_000, true)); // not flushed
        held.receive(new DefaultSpdyWindowUpdateFrame(0, WINDOW));
        for (int i = 0; i < 10; i++) {
            passSeconds(20);
            held.receive(new DefaultSpdyWindowUpdateFrame(1, 1));
        }
        assertTrue(held.isOpen(), () -> String.valueOf(held.getCloseReason()));
        held.close();
        held.close();
    }

    @Test
    void shouldNotKeepACloseWaitingForTheirStreams() {
        open(1, false);
        ChannelFuture closed = session.close();
        passSeconds(29);
        assertFalse(closed.isDone());
        passSeconds(16);
        assertTrue(closed.isSuccess());
    }

    @Test
    void shouldKeepACloseWaitingWhileTheirStreamsMakeProgress() {
        open(1, false);
        ChannelFuture closed = session.close();
        for (int i = 0; i < 10; i++) {
            passSeconds(25);
            assertFalse(closed.isDone());
            session.receive(data(1, 2_000, false));
        }
        session.receive(data(1, 0, true));
        session.write(data(1, 0, true));
        assertFalse(closed.isDone(), "the client has some time to close");
        passSeconds(3);
        assertTrue(closed.isSuccess());
    }

    @Test
    void shouldCompleteAPendingCloseWhenTheyClose() {
        SpdySessionHandler handler = new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults(), timer);
        SimpleChannelHandler above = new SimpleChannelHandler();
        MemoryChannel server = MemoryChannel.connected(handler, above);
        ChannelFuture asked = Channels.future(server);
        Channels.close(server.context(above), asked);
        assertFalse(asked.isDone(), "the client has some time to close");
        Channels.close(server.context(handler), Channels.future(server)); // as the transport does in that case
        assertTrue(asked.isSuccess());
    }

    @Test
    void shouldNotTimeOutWhileNothingWaits() {
        open(1, false);
        session.write(data(1, 10_000, false));
        passSeconds(10);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldHaveLimitsOfZeroOrMore() {
        SpdyTimeouts defaults = SpdyTimeouts.defaults();
        assertEquals(Duration.ofSeconds(30), defaults.writeStall());
        assertEquals(Duration.ofSeconds(30), defaults.drain());
        assertThrows(IllegalArgumentException.class, () -> defaults.withDrain(Duration.ofSeconds(-1)));
        assertEquals(
                new SpdyTimeouts(Duration.ZERO, Duration.ofSeconds(1)),
                defaults.withWriteStall(Duration.ZERO).withDrain(Duration.ofSeconds(1)));
    }
}
