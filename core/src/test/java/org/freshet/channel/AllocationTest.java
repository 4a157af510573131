package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/**
 * What futures, channels and variables cost in bytes, counted by the JVM. The limits are those of a 64-bit JVM with
 * compressed references, with slack for what else the thread allocates.
 */
class AllocationTest {
    private static final int REPETITIONS = 10_000;

    /** Bytes a repetition that the counting itself and a JIT compiler's whims may add. */
    private static final int SLACK = 6;

    private static final ChannelFutureListener LISTENER = future -> {};

    private static Object sink;

    private final FakeChannel channel = new FakeChannel();

    /** By way of JMX, because the module of the interface that has this method is not one that Freshet reads. */
    private static long allocatedBytes() {
        try {
            return (long) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                            "getThreadAllocatedBytes",
                            new Object[] {Thread.currentThread().getId()},
                            new String[] {"long"});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    private void assertBytes(int limit, Supplier<?> action) {
        Object[] results = new Object[REPETITIONS];
        long bytes = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 3; attempt++) {
            long before = allocatedBytes();
            for (int i = 0; i < REPETITIONS; i++) {
                results[i] = action.get();
            }
            bytes = Math.min(bytes, allocatedBytes() - before);
        }
        sink = results;
        long each = bytes / REPETITIONS;
        assertTrue(each <= limit + SLACK, each + " bytes instead of " + limit);
    }

    @Test
    void shouldNeed24BytesForAFuture() {
        assertBytes(24, () -> new DefaultChannelFuture(channel, false));
        assertBytes(24, () -> new DefaultChannelFuture(channel, true));
    }

    @Test
    void shouldNeedNothingMoreForOneListenerFromAddingToCalling() {
        assertBytes(24, () -> {
            DefaultChannelFuture future = new DefaultChannelFuture(channel, false);
            future.addListener(LISTENER);
            future.setSuccess();
            return future;
        });
    }

    @Test
    void shouldNeedOneEntryAndNoListForTheListenerOfACancellableFuture() {
        assertBytes(24 + 24, () -> {
            DefaultChannelFuture future = new DefaultChannelFuture(channel, true);
            future.addListener(LISTENER);
            return future;
        });
    }

    @Test
    void shouldNeed16BytesForASucceededFuture() {
        assertBytes(16, () -> new SucceededChannelFuture(channel));
    }

    @Test
    void shouldReadVariablesWithoutAllocation() {
        ChannelLocal<String> local = new ChannelLocal<>();
        local.set(channel, "x");
        assertBytes(0, () -> local.get(channel));
    }

    @Test
    void shouldNeed72BytesForAChannelWithItsCloseFuture() {
        ChannelPipeline pipeline = new DefaultChannelPipeline() {
            @Override
            public void attach(Channel attached, ChannelSink attachedSink) {
                // The same for all channels here.
            }
        };
        assertBytes(48 + 24, () -> new Bare(pipeline));
    }

    /** A channel with no field of its own. */
    private static final class Bare extends AbstractChannel {
        Bare(ChannelPipeline pipeline) {
            super(null, null, pipeline, null);
        }

        @Override
        public ChannelConfig getConfig() {
            return null;
        }

        @Override
        public boolean isBound() {
            return false;
        }

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return null;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return null;
        }
    }
}
