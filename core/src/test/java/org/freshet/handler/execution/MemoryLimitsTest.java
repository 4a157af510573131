package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.FakeChannel;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.testing.Await;
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
