package org.freshet.handler.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.WriteAccount;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread factory throws a checked exception, as programs in Kotlin or Scala may. */
class CheckedRefusalTest {
    private static final Exception REFUSAL = new Exception("no thread for you");

    enum Pool {
        MEMORY_AWARE(factory -> new MemoryAwareThreadPoolExecutor(1, 0, 0, 1, TimeUnit.SECONDS, factory)),
        ORDERED(factory -> new OrderedMemoryAwareThreadPoolExecutor(1, 0, 0, 1, TimeUnit.SECONDS, factory)),
        FAIR(factory -> new FairOrderedMemoryAwareThreadPoolExecutor(1, 0, 0, 1, TimeUnit.SECONDS, factory)),
        ORDERED_DOWNSTREAM(factory -> new OrderedDownstreamThreadPoolExecutor(1, 1, TimeUnit.SECONDS, factory)),
        FAIR_DOWNSTREAM(factory -> new FairOrderedDownstreamThreadPoolExecutor(1, 1, TimeUnit.SECONDS, factory));

        final Function<ThreadFactory, MemoryAwareThreadPoolExecutor> create;

        Pool(Function<ThreadFactory, MemoryAwareThreadPoolExecutor> create) {
            this.create = create;
        }
    }

    @SuppressWarnings("unchecked") // the compiler doesn't know which exception it is
    private static <T extends Throwable> Thread refuse() throws T {
        throw (T) REFUSAL;
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void shouldFailEachWrite(Pool kind) {
        MemoryAwareThreadPoolExecutor pool = kind.create.apply(task -> CheckedRefusalTest.<RuntimeException>refuse());
        try {
            MemoryChannel channel = MemoryChannel.connected(new ExecutionHandler(pool, true, false));
            for (int i = 0; i < 3; i++) {
                ChannelFuture written = channel.write(ChannelBuffers.wrappedBuffer(new byte[10]));
                assertSame(REFUSAL, written.getCause());
                assertTrue(channel.takeCaught().contains(REFUSAL));
            }
            assertEquals(0, WriteAccount.waitingBytes(channel));
        } finally {
            pool.shutdownNow();
        }
    }
}
