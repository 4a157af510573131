package org.freshet.handler.execution;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A {@link FairOrderedMemoryAwareThreadPoolExecutor} for events on their way down, so that encoders may take their time. It has
 * no memory limits and no estimator of sizes, and setting one throws {@link UnsupportedOperationException}: {@link
 * org.freshet.channel.Channel#isWritable()} is there to limit what is written.
 */
public final class FairOrderedDownstreamThreadPoolExecutor extends FairOrderedMemoryAwareThreadPoolExecutor {
    /** Threads end when idle for 30 seconds. */
    public FairOrderedDownstreamThreadPoolExecutor(int corePoolSize) {
        this(corePoolSize, DEFAULT_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    public FairOrderedDownstreamThreadPoolExecutor(int corePoolSize, long keepAliveTime, TimeUnit unit) {
        this(corePoolSize, keepAliveTime, unit, Executors.defaultThreadFactory());
    }

    /** Makes a pool of up to {@code corePoolSize} threads, each of which ends when idle for the keep-alive time. */
    public FairOrderedDownstreamThreadPoolExecutor(
            int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(corePoolSize, keepAliveTime, unit, threadFactory);
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException if the task is an event on its way up, or the executor was shut down
     */
    @Override
    public void execute(Runnable command) {
        if (command instanceof ChannelUpstreamEventRunnable) {
            throw new RejectedExecutionException("this executor is for events on their way down: " + command);
        }
        super.execute(command);
    }
}
