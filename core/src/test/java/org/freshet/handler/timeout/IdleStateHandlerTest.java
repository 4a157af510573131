package org.freshet.handler.timeout;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;

/** Each line of the expected text is a state and the time it was reported, in milliseconds from the start. */
class IdleStateHandlerTest {
    private final FakeTimer timer = new FakeTimer();

    private IdleStateHandler handler(long readerMillis, long writerMillis, long allMillis) {
        return new IdleStateHandler(timer, readerMillis, writerMillis, allMillis, MILLISECONDS);
    }

    private final List<String> told = new ArrayList<>();

    /** Records the idle events above the handler under test. */
    private final IdleStateAwareChannelUpstreamHandler record = new IdleStateAwareChannelUpstreamHandler() {
        @Override
        public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) throws Exception {
            told.add(e.getState() + " " + NANOSECONDS.toMillis(timer.nanos()));
            super.channelIdle(ctx, e);
        }
    };

    @Test
    void shouldReportRepeatedlyThatNothingWasReceived() {
        MemoryChannel.connected(handler(100, 0, 0), record);
        timer.advanceMillis(99);
        assertEquals(List.of(), told);
        timer.advanceMillis(301);
        assertEquals(List.of("READER_IDLE 100", "READER_IDLE 200", "READER_IDLE 300", "READER_IDLE 400"), told);
    }

    @Test
    void shouldCountFromTheLastMessage() {
        MemoryChannel channel = MemoryChannel.connected(handler(100, 0, 0), record);
        timer.advanceMillis(60);
        channel.receive("a");
        timer.advanceMillis(60);
        channel.receive("b");
        channel.write("writing is not reading");
        timer.advanceMillis(99);
        assertEquals(List.of(), told);
        timer.advanceMillis(1);
        assertEquals(List.of("READER_IDLE 220"), told);
        timer.advanceMillis(50);
        channel.receive("c");
        timer.advanceMillis(100);
        assertEquals(List.of("READER_IDLE 220", "READER_IDLE 370"), told);
    }

    @Test
    void shouldCountFromTheLastCompletedWrite() {
        MemoryChannel channel =
                MemoryChannel.connected(handler(0, 100, 0), record).holdWrites();
        timer.advanceMillis(60);
        channel.write(ChannelBuffers.wrappedBuffer(new byte[10]));
        timer.advanceMillis(10);
        channel.completeWrites();
        channel.receive("reading is not writing");
        channel.write("not completed");
        timer.advanceMillis(100);
        assertEquals(List.of("WRITER_IDLE 170"), told);
    }

    @Test
    void shouldReportThatNothingWasReadOrWritten() {
        MemoryChannel channel = MemoryChannel.connected(handler(0, 0, 100), record);
        timer.advanceMillis(60);
        channel.receive("a");
        timer.advanceMillis(60);
        channel.write("b");
        timer.advanceMillis(60);
        channel.receive("c");
        timer.advanceMillis(100);
        assertEquals(List.of("ALL_IDLE 280"), told);
    }

    @Test
    void shouldWatchAllStatesWithOneTimeout() {
        MemoryChannel channel = MemoryChannel.connected(handler(100, 30, 70), record);
        assertEquals(1, timer.pendingTimeouts());
        timer.advanceMillis(65);
        channel.receive("a");
        timer.advanceMillis(40);
        assertEquals(List.of("WRITER_IDLE 30", "WRITER_IDLE 60", "WRITER_IDLE 90"), told);
        told.clear();
        timer.advanceMillis(65);
        assertEquals(List.of("WRITER_IDLE 120", "ALL_IDLE 135", "WRITER_IDLE 150", "READER_IDLE 165"), told);
        assertEquals(1, timer.pendingTimeouts());
    }

    @Test
    void shouldReportReaderThenWriterThenAllIfDueAtTheSameTime() {
        MemoryChannel.connected(handler(50, 50, 50), record);
        timer.advanceMillis(50);
        assertEquals(List.of("READER_IDLE 50", "WRITER_IDLE 50", "ALL_IDLE 50"), told);
    }

    @Test
    void shouldReportSinceWhen() {
        MemoryChannel channel = MemoryChannel.connected(handler(100, 0, 0));
        timer.advanceMillis(5_000);
        channel.takeUpstream();
        long before = System.currentTimeMillis();
        timer.advanceMillis(100);
        IdleStateEvent e = (IdleStateEvent) channel.takeUpstream().get(0);
        long after = System.currentTimeMillis();
        assertTrue(e.getLastActivityTimeMillis() >= before - 5_100, "since " + e);
        assertTrue(e.getLastActivityTimeMillis() <= after - 5_100, "since " + e);
        assertSame(channel, e.getChannel());
        assertTrue(e.getFuture().isSuccess());
        assertTrue(e.toString().contains("READER_IDLE since "), e.toString());
    }

    @Test
    void shouldReportOnTheIoThreadAndOnlyIfStillTrueThere() {
        MemoryChannel channel =
                MemoryChannel.connected(handler(100, 0, 0), record).holdTasks();
        timer.advanceMillis(100);
        assertEquals(List.of(), told);
        channel.receive("just in time");
        channel.runTasks();
        assertEquals(List.of(), told);
        timer.advanceMillis(100);
        channel.runTasks();
        assertEquals(List.of("READER_IDLE 200"), told);
    }

    @Test
    void shouldNotReportAPeerAsIdleWhileItsMessageIsBeingHandled() {
        SimpleChannelUpstreamHandler slow = new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                timer.advanceMillis(500); // simulates a handler that takes this long
            }
        };
        MemoryChannel channel =
                MemoryChannel.connected(handler(100, 0, 0), record, slow).holdTasks();
        timer.advanceMillis(50);
        channel.receive("a");
        channel.runTasks();
        assertEquals(List.of(), told);
        timer.advanceMillis(100);
        channel.runTasks();
        assertEquals(List.of("READER_IDLE 650"), told);
    }

    @Test
    void shouldStopWhenTheChannelCloses() {
        MemoryChannel channel = MemoryChannel.connected(handler(100, 100, 100), record);
        channel.close();
        assertEquals(0, timer.pendingTimeouts());
        timer.advanceMillis(1_000);
        assertEquals(List.of(), told);
    }

    @Test
    void shouldReportNothingMoreAfterAHandlerClosedTheChannel() {
        IdleStateAwareChannelHandler closer = new IdleStateAwareChannelHandler() {
            @Override
            public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
                e.getChannel().close();
            }
        };
        MemoryChannel.connected(handler(100, 100, 100), record, closer);
        timer.advanceMillis(1_000);
        assertEquals(List.of("READER_IDLE 100"), told);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStopWhenRemoved() {
        IdleStateHandler handler = handler(100, 0, 0);
        MemoryChannel channel = MemoryChannel.connected(handler, record);
        ChannelHandlerContext ctx = channel.context(handler);
        timer.advanceMillis(50);
        channel.getPipeline().remove(handler);
        assertEquals(0, timer.pendingTimeouts());
        assertEquals(null, ctx.getAttachment());
    }

    @Test
    void shouldReportNothingIfRemovedWhileTheEventIsOnItsWay() {
        IdleStateHandler handler = handler(100, 0, 0);
        MemoryChannel channel = MemoryChannel.connected(handler, record).holdTasks();
        timer.advanceMillis(100);
        channel.getPipeline().remove(handler);
        channel.runTasks();
        assertEquals(List.of(), told);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldStartWhenAddedToAnOpenChannel() {
        MemoryChannel channel = MemoryChannel.connected(record);
        timer.advanceMillis(1_000);
        channel.getPipeline().addFirst("idle", handler(100, 0, 0));
        timer.advanceMillis(100);
        assertEquals(List.of("READER_IDLE 1100"), told);
    }

    @Test
    void shouldNotStartWhenAddedToAClosedChannel() {
        MemoryChannel channel = MemoryChannel.connected();
        channel.close();
        channel.getPipeline().addFirst("idle", handler(100, 0, 0));
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldServeManyPipelinesAtTheSameTime() {
        IdleStateHandler shared = handler(100, 0, 0);
        MemoryChannel one = MemoryChannel.connected(shared);
        timer.advanceMillis(50);
        MemoryChannel other = MemoryChannel.connected(shared);
        one.takeUpstream();
        other.takeUpstream();
        timer.advanceMillis(50);
        assertEquals(1, one.takeUpstream().size());
        assertEquals(0, other.takeUpstream().size());
        one.close();
        one.takeUpstream();
        timer.advanceMillis(50);
        assertEquals(0, one.takeUpstream().size());
        assertEquals(1, other.takeUpstream().size());
    }

    @Test
    void shouldSendUpTheExceptionOfAnOverrideAndContinue() {
        Exception thrown = new Exception("from channelIdle");
        IdleStateHandler failing = new IdleStateHandler(timer, 100, 0, 0, MILLISECONDS) {
            @Override
            protected void channelIdle(ChannelHandlerContext ctx, IdleState state, long lastActivityTimeMillis)
                    throws Exception {
                throw thrown;
            }
        };
        MemoryChannel channel = MemoryChannel.connected(failing);
        timer.advanceMillis(200);
        assertEquals(List.of(thrown, thrown), channel.takeCaught());
    }

    @Test
    void shouldReportThatTheTimerWasStopped() {
        MemoryChannel channel =
                MemoryChannel.connected(handler(100, 0, 0), record).holdTasks();
        timer.advanceMillis(100);
        timer.stop();
        channel.runTasks();
        assertEquals(List.of("READER_IDLE 100"), told);
        assertEquals("timer was stopped", channel.takeCaught().get(0).getMessage());
    }

    /** A handler that relies on the events must learn that they will not come, even if none was due yet. */
    @Test
    void shouldReportThatTheTimerWasStoppedAfterActivity() {
        Timer stopsAt100 = new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                return timer.newTimeout(task, delay, unit);
            }

            @Override
            public long nanoTime() {
                if (timer.nanos() == MILLISECONDS.toNanos(100)) {
                    timer.stop();
                }
                return timer.nanos();
            }

            @Override
            public Set<Timeout> stop() {
                return timer.stop();
            }
        };
        MemoryChannel channel =
                MemoryChannel.connected(new IdleStateHandler(stopsAt100, 100, 0, 0, MILLISECONDS), record);
        timer.advanceMillis(50);
        channel.receive("activity");
        timer.advanceMillis(50);
        assertEquals(List.of(), told);
        assertEquals("timer was stopped", channel.takeCaught().get(0).getMessage());
    }

    @Test
    void shouldScheduleNothingWhenAllIsSwitchedOff() {
        MemoryChannel channel = MemoryChannel.connected(handler(0, -1, 0));
        assertEquals(0, timer.pendingTimeouts());
        channel.receive("still passes");
        assertEquals(List.of("still passes"), channel.takeReceived());
    }

    @Test
    void shouldTakeSecondsAndRoundUpToAMillisecond() {
        IdleStateHandler seconds = new IdleStateHandler(timer, 1, 2, 3);
        assertEquals(1_000, seconds.getReaderIdleTimeInMillis());
        assertEquals(2_000, seconds.getWriterIdleTimeInMillis());
        assertEquals(3_000, seconds.getAllIdleTimeInMillis());
        IdleStateHandler tiny = new IdleStateHandler(timer, 1, 0, -5, NANOSECONDS);
        assertEquals(1, tiny.getReaderIdleTimeInMillis());
        assertEquals(0, tiny.getWriterIdleTimeInMillis());
        assertEquals(0, tiny.getAllIdleTimeInMillis());
        assertThrows(NullPointerException.class, () -> new IdleStateHandler(null, 1, 2, 3));
    }

    @Test
    void shouldStopItsTimerWhenReleased() {
        handler(1, 1, 1).releaseExternalResources();
        assertTrue(timer.isStopped());
    }

    @Test
    void shouldWorkWithARealTimer() throws Exception {
        HashedWheelTimer wheel = new HashedWheelTimer(1, MILLISECONDS, 64);
        CountDownLatch idleTwice = new CountDownLatch(2);
        IdleStateAwareChannelHandler above = new IdleStateAwareChannelHandler() {
            @Override
            public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
                idleTwice.countDown();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new IdleStateHandler(wheel, 2, 0, 0, MILLISECONDS), above);
        Await.latch(idleTwice, "two idle events");
        channel.close();
        wheel.stop();
    }

    @Test
    void shouldContinueAfterTheTimerRanOutOfMemory() {
        CountDownLatch scheduledAgain = new CountDownLatch(3);
        Timer poor = new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                scheduledAgain.countDown();
                if (scheduledAgain.getCount() == 1) {
                    throw new OutOfMemoryError("the timer's");
                }
                return timer.newTimeout(task, delay, unit);
            }

            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Set<Timeout> stop() {
                return timer.stop();
            }
        };
        MemoryChannel channel = MemoryChannel.connected(new IdleStateHandler(poor, 100, 0, 0, MILLISECONDS), record);
        try {
            timer.advanceMillis(100);
        } catch (OutOfMemoryError reported) { // from the timer's thread
            assertEquals("the timer's", reported.getMessage());
        }
        Await.latch(scheduledAgain, "the next time-out");
        assertEquals(List.of("READER_IDLE 100"), told);
        assertTrue(channel.isOpen());
    }
}
