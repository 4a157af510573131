package org.freshet.handler.timeout;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class WriteTimeoutHandlerTest {
    private final FakeTimer timer = new FakeTimer();
    private final WriteTimeoutHandler handler = new WriteTimeoutHandler(timer, 100, MILLISECONDS);

    @Test
    void shouldFailAWriteThatTakesTooLongAndReportItAbove() {
        MemoryChannel channel = MemoryChannel.connected(handler).holdWrites();
        ChannelFuture late = channel.write("late");
        timer.advanceMillis(50);
        ChannelFuture later = channel.write("later");
        timer.advanceMillis(50);
        assertInstanceOf(WriteTimeoutException.class, late.getCause());
        assertEquals("not written within 100 ms", late.getCause().getMessage());
        assertFalse(later.isDone());
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size());
        assertInstanceOf(WriteTimeoutException.class, caught.get(0));
    }

    @Test
    void shouldForgetACompletedWrite() {
        MemoryChannel channel = MemoryChannel.connected(handler).holdWrites();
        ChannelFuture sent = channel.write("sent");
        assertEquals(1, timer.pendingTimeouts());
        channel.completeWrites();
        assertEquals(0, timer.pendingTimeouts());
        ChannelFuture failed = channel.write("failed");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
        assertTrue(sent.isSuccess());
        assertFalse(failed.isSuccess());
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldForgetAWriteThatCompletesImmediately() {
        MemoryChannel channel = MemoryChannel.connected(handler);
        assertTrue(channel.write("sent").isSuccess());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveWritesAloneOnceRemoved() {
        MemoryChannel channel = MemoryChannel.connected(handler).holdWrites();
        ChannelFuture written = channel.write("takes its time");
        channel.getPipeline().remove(handler);
        timer.advanceMillis(1_000);
        assertFalse(written.isDone());
        channel.completeWrites();
        assertTrue(written.isSuccess());
    }

    @Test
    void shouldAskForTheTimeoutOfEachWrite() {
        WriteTimeoutHandler bySize = new WriteTimeoutHandler(timer, 0) {
            @Override
            protected long getTimeoutMillis(MessageEvent e) {
                return ((String) e.getMessage()).length() * 10L;
            }
        };
        MemoryChannel channel = MemoryChannel.connected(bySize).holdWrites();
        ChannelFuture small = channel.write("12345");
        ChannelFuture large = channel.write("1234567890");
        ChannelFuture unlimited = channel.write("");
        timer.advanceMillis(99);
        assertTrue(small.isDone());
        assertFalse(large.isDone());
        timer.advanceMillis(1_000);
        assertTrue(large.isDone());
        assertFalse(unlimited.isDone());
    }

    @Test
    void shouldSendUpTheExceptionOfAnOverride() {
        Exception thrown = new Exception("from writeTimedOut");
        WriteTimeoutHandler failing = new WriteTimeoutHandler(timer, 100, MILLISECONDS) {
            @Override
            protected void writeTimedOut(ChannelHandlerContext ctx) throws Exception {
                throw thrown;
            }
        };
        MemoryChannel channel = MemoryChannel.connected(failing).holdWrites();
        channel.write("late");
        timer.advanceMillis(100);
        assertEquals(List.of(thrown), channel.takeCaught());
    }

    @Test
    void shouldFailTheWriteIfTheTimerWasStopped() {
        MemoryChannel channel = MemoryChannel.connected(handler);
        handler.releaseExternalResources();
        assertTrue(timer.isStopped());
        assertInstanceOf(IllegalStateException.class, channel.write("untimed").getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldWatchNothingWithATimeOfZero() {
        MemoryChannel channel =
                MemoryChannel.connected(new WriteTimeoutHandler(timer, 0)).holdWrites();
        channel.write("a");
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldReportASlowWriteAboveEvenIfMemoryRunsOutAtFirst() {
        MemoryChannel channel = MemoryChannel.connected(handler).holdWrites();
        ChannelFuture late = channel.write("late");
        channel.scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> timer.advanceMillis(100));
        assertInstanceOf(WriteTimeoutException.class, late.getCause());
        Await.until(
                () -> channel.takeCaught().stream().anyMatch(WriteTimeoutException.class::isInstance), "the exception");
    }
}
