package org.freshet.handler.execution;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.freshet.util.ObjectSizeEstimator;

/**
 * A {@link FairOrderedMemoryAwareThreadPoolExecutor} for events on their way down, so that encoders may take their time. It has
 * no memory limits: {@link org.freshet.channel.Channel#isWritable()} is there to limit what is written.
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
        super(corePoolSize, 0, 0, keepAliveTime, unit, threadFactory);
    }

    /** Null, since nothing is estimated. */
    @Override
    public ObjectSizeEstimator getObjectSizeEstimator() {
        return null;
    }

    /**
     * Refused.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void setObjectSizeEstimator(ObjectSizeEstimator objectSizeEstimator) {
        throw withoutLimits();
    }

    /** 0, since there is no limit. */
    @Override
    public long getMaxChannelMemorySize() {
        return 0;
    }

    /**
     * Refused.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public void setMaxChannelMemorySize(long maxChannelMemorySize) {
        throw withoutLimits();
    }

    private static UnsupportedOperationException withoutLimits() {
        return new UnsupportedOperationException("events on their way down have no memory limits");
    }

    /** 0, since there is no limit. */
    @Override
    public long getMaxTotalMemorySize() {
        return 0;
    }

    /** False, since there are no limits. */
    @Override
    protected boolean shouldCount(Runnable task) {
        return false;
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
