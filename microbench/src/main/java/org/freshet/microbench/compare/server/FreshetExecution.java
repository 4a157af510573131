package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.MemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.microbench.compare.load.SlowRequest;
import org.freshet.util.HashedWheelTimer;

/**
 * Freshet's ways to run a blocking handler. {@link #handler} is shared by all channels and placed below that handler.
 */
record FreshetExecution(ExecutionHandler handler, Runnable end) implements AutoCloseable {
    private static final long MAX_CHANNEL_BYTES = 1 << 20;
    private static final long MAX_TOTAL_BYTES = 1 << 24;

    static FreshetExecution of(Way way) {
        return switch (way) {
            case CHANNEL ->
                plain(new OrderedMemoryAwareThreadPoolExecutor(Way.THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES));
            case UNORDERED -> plain(new MemoryAwareThreadPoolExecutor(Way.THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES));
            case CUSTOMER -> plain(new ByCustomer());
            case VIRTUAL -> plain(way.threads());
            case PIPELINED, PIPELINED_VIRTUAL -> pipelined(way.threads());
        };
    }

    private static FreshetExecution plain(ExecutorService executor) {
        return new FreshetExecution(new ExecutionHandler(executor), executor::shutdownNow);
    }

    private static FreshetExecution pipelined(ExecutorService executor) {
        HashedWheelTimer timer = new HashedWheelTimer();
        return new FreshetExecution(new PipelinedExecutionHandler(executor, timer), () -> {
            executor.shutdownNow();
            timer.stop();
        });
    }

    /** Abandons requests that still block. */
    @Override
    public void close() {
        end.run();
    }

    private static final class ByCustomer extends OrderedMemoryAwareThreadPoolExecutor {
        ByCustomer() {
            super(Way.THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES);
        }

        @Override
        protected Object getChildExecutorKey(ChannelEvent event) {
            return event instanceof MessageEvent message
                    ? ((SlowRequest) message.getMessage()).customer()
                    : event.getChannel();
        }
    }
}
