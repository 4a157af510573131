package org.freshet.example.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.MemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.util.HashedWheelTimer;

/**
 * One way to run a blocking handler.
 *
 * @param handler placed below the blocking one
 * @param keepsUpInOrder whether it should keep up, in order
 */
record Way(String name, ExecutionHandler handler, boolean keepsUpInOrder, Runnable ending) {
    private static final int THREADS = 128;
    private static final long MAX_CHANNEL_BYTES = 1 << 20;
    private static final long MAX_TOTAL_BYTES = 1 << 24;

    static List<Way> all() {
        List<Way> ways = new ArrayList<>();
        ways.add(of(
                "ordered by channel",
                new OrderedMemoryAwareThreadPoolExecutor(THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES)));
        ways.add(of("unordered", new MemoryAwareThreadPoolExecutor(THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES)));
        ways.add(of("ordered by customer, " + Request.CUSTOMERS + " customers", orderedByCustomer()));
        virtualThreads().ifPresent(executor -> ways.add(of("one virtual thread per request", executor)));
        ways.add(pipelined("in parallel, answered in order", Executors.newFixedThreadPool(THREADS)));
        virtualThreads().ifPresent(executor -> ways.add(pipelined("the same, on virtual threads", executor)));
        return ways;
    }

    /** Abandons requests that still block. */
    void end() {
        ending.run();
    }

    private static Way of(String name, ExecutorService executor) {
        return new Way(name, new ExecutionHandler(executor), false, executor::shutdownNow);
    }

    private static Way pipelined(String name, ExecutorService executor) {
        HashedWheelTimer timer = new HashedWheelTimer();
        return new Way(name, new PipelinedExecutionHandler(executor, timer), true, () -> {
            executor.shutdownNow();
            timer.stop();
        });
    }

    private static ExecutorService orderedByCustomer() {
        return new OrderedMemoryAwareThreadPoolExecutor(THREADS, MAX_CHANNEL_BYTES, MAX_TOTAL_BYTES) {
            @Override
            protected Object getChildExecutorKey(ChannelEvent e) {
                return e instanceof MessageEvent message ? ((Request) message.getMessage()).customer() : e.getChannel();
            }
        };
    }

    /** Empty before Java 21. */
    private static Optional<ExecutorService> virtualThreads() {
        try {
            return Optional.of((ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        } catch (ReflectiveOperationException e) {
            return Optional.empty();
        }
    }
}
