package org.freshet.handler.execution;

import java.util.Objects;
import java.util.concurrent.Executor;
import org.freshet.util.ExternalResourceReleasable;

/**
 * Passes some events to one executor and all others to the next, which may be another chain.
 *
 * <pre>{@code
 * // one pool for received events, another for writes
 * Executor executor = new ChainedExecutor(
 *         new ChannelUpstreamEventRunnableFilter(),
 *         new OrderedMemoryAwareThreadPoolExecutor(16, 1 << 20, 1 << 30),
 *         new OrderedDownstreamThreadPoolExecutor(16));
 * pipeline.addLast("executor", new ExecutionHandler(executor, true, true));
 * }</pre>
 */
public class ChainedExecutor implements Executor, ExternalResourceReleasable {
    private final ChannelEventRunnableFilter filter;
    private final Executor current;
    private final Executor next;

    /**
     * @param filter selects the events for {@code current}
     * @param next takes the other events, and tasks that are not events
     */
    public ChainedExecutor(ChannelEventRunnableFilter filter, Executor current, Executor next) {
        this.filter = Objects.requireNonNull(filter, "filter");
        this.current = Objects.requireNonNull(current, "current");
        this.next = Objects.requireNonNull(next, "next");
    }

    @Override
    public void execute(Runnable task) {
        boolean isForCurrent = task instanceof ChannelEventRunnable event && filter.filter(event);
        (isForCurrent ? current : next).execute(task);
    }

    /** Shuts down both executors, like {@link ExecutionHandler#releaseExternalResources()}. */
    @Override
    public void releaseExternalResources() {
        try {
            ExecutorRelease.release(current);
        } finally {
            ExecutorRelease.release(next);
        }
    }
}
