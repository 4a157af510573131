package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryLimitsTest {
    private static final int LIMIT = 4;
    private static final int EVENTS = 300_000;

    private static final class NoRequests extends SimpleChannelDownstreamHandler {
        @Override
        public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getFuture().setSuccess();
        }
    }

    private final Queue<ChannelEventRunnable> waiting = new ConcurrentLinkedQueue<>();

    // ---- one thread -------------------------------------------------------------------------------------------------

    private static ChannelEventRunnable event(MemoryChannel channel, ChannelHandler place) {
        return new ChannelUpstreamEventRunnable(
                channel.context(place), new UpstreamMessageEvent(channel, "event", null), Runnable::run);
    }

    @Test
    void shouldStopReadingAtTheLimitOfAChannelUntilHalfOfItIsLeft() {
        ChannelHandler place = new SimpleChannelUpstreamHandler();
        MemoryChannel channel = MemoryChannel.connected(place);
        MemoryChannel other = MemoryChannel.connected(place);
        MemoryLimits limits = new MemoryLimits(LIMIT, 0, event -> 1);
        for (int round = 0; round < 2; round++) {
            List<ChannelEventRunnable> events = new ArrayList<>();
            for (int i = 0; i < LIMIT + 1; i++) {
                assertEquals(i < LIMIT, channel.isReadable());
                events.add(event(channel, place));
                limits.charge(events.get(i));
                assertEquals(i + 1, limits.totalBytes());
            }
            assertTrue(other.isReadable());
            for (int left = LIMIT; left >= 0; left--) {
                limits.release(events.get(left));
                limits.release(events.get(left));
                assertEquals(left, limits.totalBytes(), "counted once");
                assertEquals(left <= LIMIT / 2, channel.isReadable());
            }
        }
    }

    @Test
    void shouldStopReadingChannelsThatAddToAFullTotalUntilHalfOfItIsLeft() {
        ChannelHandler place = new SimpleChannelUpstreamHandler();
        MemoryChannel early = MemoryChannel.connected(place);
        MemoryChannel late = MemoryChannel.connected(place);
        MemoryLimits limits = new MemoryLimits(0, LIMIT, event -> 1);
        assertEquals(LIMIT, limits.maxTotalBytes());
        for (int round = 0; round < 2; round++) {
            List<ChannelEventRunnable> events = new ArrayList<>();
            for (int i = 0; i < LIMIT - 1; i++) {
                events.add(event(early, place));
                limits.charge(events.get(i));
                assertTrue(early.isReadable());
            }
            for (int i = 0; i < 2; i++) {
                events.add(event(late, place));
                limits.charge(events.get(LIMIT - 1 + i));
                assertFalse(late.isReadable());
            }
            assertTrue(early.isReadable(), "it added its events before");
            for (int left = LIMIT; left >= 0; left--) {
                limits.release(events.get(left));
                assertEquals(left <= LIMIT / 2, late.isReadable());
            }
        }
    }

    /** Another thread may release events while a pool ends. */
    @Test
    void shouldResumeEachChannelOnceIfEventsAreReleasedWhileAllAreResumed() {
        MemoryLimits limits = new MemoryLimits(0, LIMIT, event -> 1);
        List<ChannelEventRunnable> events = new ArrayList<>();
        @Sharable
        class Releasing extends SimpleChannelUpstreamHandler {
            @Override
            public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
                if (ctx.getChannel().isReadable()) {
                    events.forEach(limits::release);
                }
            }
        }
        ChannelHandler place = new Releasing();
        List<MemoryChannel> channels = List.of(MemoryChannel.connected(place), MemoryChannel.connected(place));
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 2 * LIMIT; i++) {
                events.add(event(channels.get(i % 2), place));
                limits.charge(events.get(events.size() - 1));
            }
            channels.forEach(channel -> assertFalse(channel.isReadable()));
            limits.resumeAllSuspendedByTotal();
            channels.forEach(channel -> assertTrue(channel.isReadable()));
            assertEquals(0, limits.totalBytes());
        }
    }

    // ---- several threads --------------------------------------------------------------------------------------------

    /** Each event counts as one byte and comes from its own read, so the limit is exact. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheLimitWhenSeveralThreadsReleaseConcurrently(boolean isPerChannel) {
        MemoryLimits limits = new MemoryLimits(isPerChannel ? LIMIT : 0, isPerChannel ? 0 : LIMIT, event -> 1);
        ExecutionHandler handler = new ExecutionHandler(Runnable::run);
        FakeChannel channel = new FakeChannel(1, null, new NoRequests(), handler);
        channel.connected = true;
        channel.ioThread = Thread.currentThread();
        ChannelHandlerContext ctx = channel.getPipeline().getContext(handler);
        Thread[] releasers = Stream.generate(() -> new Thread(() -> releaseAll(limits)))
                .limit(3)
                .toArray(Thread[]::new);
        for (Thread releaser : releasers) {
            releaser.start();
        }
        long most = readAll(limits, ctx, handler.readSuspension(ctx));
        for (Thread releaser : releasers) {
            Await.end(releaser);
        }
        assertEquals(LIMIT, most, "the most bytes that were waiting");
        assertEquals(0, limits.totalBytes());
    }

    private long readAll(MemoryLimits limits, ChannelHandlerContext ctx, ReadSuspension reading) {
        long most = 0;
        for (int event = 0; event < EVENTS; event++) {
            while (reading.isSuspended()) {
                Thread.yield(); // the other threads may need this processor
            }
            ChannelEventRunnable read = new ChannelUpstreamEventRunnable(
                    ctx, new UpstreamMessageEvent(ctx.getChannel(), event, null), Runnable::run);
            limits.charge(read);
            most = Math.max(most, limits.totalBytes());
            waiting.add(read);
        }
        return most;
    }

    private void releaseAll(MemoryLimits limits) {
        int released = 0;
        while (released < EVENTS / 3) {
            ChannelEventRunnable event = waiting.poll();
            if (event != null) {
                limits.release(event);
                released++;
            } else {
                Thread.yield(); // the other threads may need this processor
            }
        }
    }
}
