package org.freshet.handler.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Queued writes and suspended reads when a channel closes, or its shaper is removed or released. */
class ShaperEndsTest extends TrafficShapers {
    @Test
    void shouldFailWhatWaitsWhenTheChannelCloses() {
        for (AbstractTrafficShapingHandler handler : List.of(one(10, 0), all(10, 0), each(10, 0))) {
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.write(bytes(100));
            ChannelFuture waiting = channel.write(bytes(100));
            ChannelFuture behind = channel.write(bytes(100));
            assertFalse(waiting.isDone());
            channel.close();
            assertInstanceOf(ClosedChannelException.class, Await.failure(waiting, "a write that waits"));
            assertInstanceOf(ClosedChannelException.class, Await.failure(behind, "the next"));
            assertInstanceOf(ClosedChannelException.class, Await.failure(channel.write(bytes(1)), "a late write"));
            assertEquals(0, handler.writes().totalBytes());
        }
    }

    @Test
    void shouldSendQueuedWritesWhenItIsRemoved() {
        ChannelTrafficShapingHandler handler = one(10, 10);
        MemoryChannel channel = MemoryChannel.connected(handler);
        handler.setMaxWriteSize(50);
        channel.write(bytes(100));
        ChannelFuture waiting = channel.write(bytes(100));
        channel.receive(bytes(100));
        assertFalse(channel.isReadable());
        assertFalse(channel.isWritable());
        channel.getPipeline().remove(handler);
        assertTrue(waiting.isSuccess());
        assertTrue(channel.isReadable());
        assertTrue(channel.isWritable());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveNoTimeoutWhenTheChannelCloses() {
        MemoryChannel channel = MemoryChannel.connected(one(10, 10));
        channel.write(bytes(100));
        channel.write(bytes(100));
        channel.receive(bytes(100));
        assertEquals(3, timer.pendingTimeouts(), "for queued writes, for resuming reads, and for the counter");
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldSendQueuedWritesWhenItIsReleased() {
        for (AbstractTrafficShapingHandler handler : List.of(one(10, 10), all(10, 10), each(10, 10))) {
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.write(bytes(100));
            ChannelFuture waiting = channel.write(bytes(100));
            if (handler instanceof GlobalChannelTrafficShapingHandler global) {
                global.release();
                assertFalse(timer.isStopped());
                assertTrue(waiting.isSuccess());
            }
        }
        ChannelTrafficShapingHandler handler = one(10, 10);
        MemoryChannel channel = MemoryChannel.connected(handler);
        channel.write(bytes(100));
        ChannelFuture waiting = channel.write(bytes(100));
        handler.releaseExternalResources();
        assertFalse(timer.isStopped(), "others may use the timer");
        assertTrue(waiting.isSuccess());
        assertTrue(channel.write(bytes(100)).isSuccess(), "nothing can wait any more");
        channel.receive(bytes(100));
        assertTrue(channel.isReadable());
    }

    @Test
    void shouldResumeReadingWhenItIsReleased() {
        for (boolean shared : new boolean[] {false, true}) {
            FakeTimer own = new FakeTimer();
            AbstractTrafficShapingHandler handler =
                    shared ? new GlobalTrafficShapingHandler(own, 0, 10) : new ChannelTrafficShapingHandler(own, 0, 10);
            MemoryChannel channel = MemoryChannel.connected(handler);
            channel.receive(bytes(100));
            assertFalse(channel.isReadable());
            handler.releaseExternalResources();
            assertTrue(channel.isReadable());
        }
    }

    @Test
    void shouldPassEverythingOfAChannelThatOpensAfterTheTimerWasStopped() {
        timer.stop();
        MemoryChannel channel;
        try (CapturedLog log = CapturedLog.start()) {
            channel = MemoryChannel.connected(one(10, 10));
            assertEquals(InternalLogLevel.WARN, log.only().level());
        }
        assertEquals(List.of(), channel.takeCaught());
        assertTrue(channel.write(bytes(100)).isSuccess());
        assertTrue(channel.write(bytes(100)).isSuccess());
        channel.receive(bytes(100));
        assertTrue(channel.isReadable());
        channel.close();
        assertEquals(List.of(), channel.takeCaught());
    }
}
