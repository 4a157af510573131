package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import org.freshet.microbench.compare.load.SlowRequest;
import org.jboss.netty.channel.ChannelEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.handler.execution.ExecutionHandler;
import org.jboss.netty.handler.execution.MemoryAwareThreadPoolExecutor;
import org.jboss.netty.handler.execution.OrderedMemoryAwareThreadPoolExecutor;

/**
 * Netty 3's ways to run a blocking handler. {@link #handler} is shared by all channels and placed below that handler.
 */
record Netty3Execution(ExecutionHandler handler, Runnable end) implements AutoCloseable {
    private static final long MAX_CHANNEL_BYTES = 1 << 20;
    private static final long MAX_TOTAL_BYTES = 1 << 24;

    static Netty3Execution of(Way way) {
        ExecutorService executor = switch (way) {
            case CHANNEL -> new OrderedMemoryAwareThreadPoolExecutor(Way.THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES);
            case UNORDERED -> new MemoryAwareThreadPoolExecutor(Way.THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES);
            case CUSTOMER -> new ByCustomer();
            case VIRTUAL -> way.threads();
            default -> throw new IllegalArgumentException("Netty 3 has no such way: " + way);
        };
        return new Netty3Execution(new ExecutionHandler(executor), executor::shutdownNow);
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
