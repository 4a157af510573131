package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.RefusingTimer;
import org.freshet.util.Timer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LingeringCloseHandlerTest {
    private final FakeTimer timer = new FakeTimer();
    private final WireExchange peer =
            new WireExchange(new LingeringCloseHandler(timer, 10, TimeUnit.SECONDS.toNanos(2), timer::nanos));

    @Test
    void shouldEndTheOutputAndDropInputUntilTheTimeLimit() {
        peer.channel().write(bytes("answer"));
        ChannelFuture closed = peer.channel().close();
        assertEquals("answer<end>", peer.sent());
        peer.receive("12345");
        assertEquals(List.of(), peer.takeReceived());
        timer.advanceMillis(1_999);
        assertFalse(closed.isDone());
        assertTrue(peer.channel().isReadable());
        timer.advanceMillis(1);
        assertTrue(closed.isSuccess());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseIfTheTimerRefuses() {
        Timer refusing = new RefusingTimer(new IllegalStateException("refused by a test"));
        MemoryChannel closing = MemoryChannel.connected(
                new LingeringCloseHandler(refusing, 10, TimeUnit.SECONDS.toNanos(1), System::nanoTime));
        closing.close();
        Await.done(closing.getCloseFuture(), "the close");
    }

    @Test
    void shouldReadNoMoreThanTheLimitAndRespectTheTimeLimit() {
        peer.channel().close();
        peer.receive("123456789");
        assertTrue(peer.channel().isReadable());
        peer.receive("0");
        assertFalse(peer.channel().isReadable());
        timer.advanceMillis(1_999);
        assertTrue(peer.channel().isOpen());
        timer.advanceMillis(1);
        assertFalse(peer.channel().isOpen());
    }

    @Test
    void shouldCloseWhenThePeerHasEndedItsOutput() {
        peer.channel().close();
        Channels.close(
                peer.channel().getPipeline().getContext(LingeringCloseHandler.class), Channels.future(peer.channel()));
        assertFalse(peer.channel().isOpen());
        assertEquals(0, timer.pendingTimeouts());
        WireExchange other = new WireExchange(new LingeringCloseHandler(timer));
        other.channel().close();
        other.channel().getPipeline().sendUpstream(new InputShutdownEvent(other.channel()));
        assertFalse(other.channel().isOpen());
    }

    @Test
    void shouldWaitForASlowReaderWhileBytesAreSent() {
        peer.transport().holdWrites();
        peer.channel().write(bytes("first"));
        peer.channel().write(bytes("second"));
        ChannelFuture closed = peer.channel().close();
        timer.advanceMillis(1_500);
        peer.transport().completeWrites(1);
        timer.advanceMillis(1_500);
        peer.transport().completeWrites(1);
        timer.advanceMillis(1_500);
        assertTrue(peer.channel().isOpen());
        peer.transport().completeWrites(); // the end of the output
        timer.advanceMillis(1_999);
        assertTrue(peer.channel().isOpen());
        timer.advanceMillis(1);
        assertTrue(closed.isSuccess());
    }

    @Test
    void shouldCloseOnAClientThatReadsNothing() {
        peer.transport().holdWrites();
        ChannelFuture written = peer.channel().write(bytes("answer"));
        ChannelFuture closed = peer.channel().close();
        timer.advanceMillis(2_000);
        assertTrue(closed.isSuccess());
        assertInstanceOf(ClosedChannelException.class, written.getCause());
    }

    @Test
    void shouldReadAlthoughReadingWasSuspendedAndIgnoreFurtherRequests() {
        peer.channel().setReadable(false);
        peer.channel().close();
        assertTrue(peer.channel().isReadable());
        assertTrue(peer.channel().setReadable(false).isSuccess());
        assertTrue(peer.channel().isReadable());
    }

    @Test
    void shouldFailLateWritesAndCompleteEveryClose() {
        ChannelFuture first = peer.channel().close();
        ChannelFuture second = Channels.future(peer.channel());
        Channels.close(peer.channel().getPipeline().getContext("keeper of a MemoryChannel"), second);
        assertInstanceOf(
                ClosedChannelException.class,
                peer.channel().write(bytes("late")).getCause());
        timer.advanceMillis(2_000);
        assertTrue(first.isSuccess() && second.isSuccess());
        assertEquals("<end>", peer.sent());
    }

    /** Another thread may write a head and a file while the channel is being closed. */
    @Test
    void shouldCloseTheFileOfALateWrite(@TempDir Path folder) throws IOException {
        FileChannel file = FileChannel.open(Files.writeString(folder.resolve("file"), "content"));
        peer.channel().close();
        ChannelFuture late = peer.channel().write(new DefaultFileRegion(file, 0, 7, true));
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        assertFalse(file.isOpen());
    }

    @Test
    void shouldCloseImmediatelyOnDisconnectAndBeforeThereIsAConnection() {
        peer.channel().close();
        assertTrue(peer.channel().isOpen());
        peer.channel().disconnect();
        assertFalse(peer.channel().isOpen());
        Channel unconnected = MemoryChannel.open(new LingeringCloseHandler(timer));
        assertTrue(unconnected.close().isSuccess());
    }

    @Test
    void shouldNotReportAPeerThatResetsMeanwhile() {
        peer.channel().close();
        Channels.fireExceptionCaught(peer.channel(), new IOException("Connection reset"));
        Channels.fireExceptionCaught(peer.channel(), new IllegalStateException("a fault"));
        assertEquals(1, peer.takeCaught().size());
    }

    @Test
    void shouldCloseIfTheOutputCannotBeEnded() {
        peer.transport().holdWrites();
        ChannelFuture closed = peer.channel().close();
        peer.transport().failWrites(new IOException("not connected"));
        assertTrue(closed.isSuccess());
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(IllegalArgumentException.class, () -> new LingeringCloseHandler(timer, -1, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> new LingeringCloseHandler(timer, 0, Duration.ZERO));
    }
}
