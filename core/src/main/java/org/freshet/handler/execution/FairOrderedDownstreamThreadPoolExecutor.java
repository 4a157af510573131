package org.freshet.handler.execution;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A {@link FairOrderedMemoryAwareThreadPoolExecutor} for downstream events, so encoders may be slow. It has no memory
 * limits and no size estimator, and setting one throws {@link UnsupportedOperationException}. Use
 * {@link org.freshet.channel.Channel#isWritable()} to limit what is written.
 */
public final class FairOrderedDownstreamThreadPoolExecutor extends FairOrderedMemoryAwareThreadPoolExecutor {
    /** Threads end after 30 seconds idle. */
    public FairOrderedDownstreamThreadPoolExecutor(int corePoolSize) {
        this(corePoolSize, DEFAULT_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    public FairOrderedDownstreamThreadPoolExecutor(int corePoolSize, long keepAliveTime, TimeUnit unit) {
        this(corePoolSize, keepAliveTime, unit, Executors.defaultThreadFactory());
    }

    /** Creates a pool of up to {@code corePoolSize} threads, each of which ends after the keep-alive time idle. */
    public FairOrderedDownstreamThreadPoolExecutor(
            int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(corePoolSize, keepAliveTime, unit, threadFactory);
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException if the task is an upstream event, or the executor was shut down
     */
    @Override
    public void execute(Runnable command) {
        if (command instanceof ChannelUpstreamEventRunnable) {
            throw new RejectedExecutionException("this executor is for downstream events only: " + command);
        }
        super.execute(command);
    }
}
