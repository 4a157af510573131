package org.freshet.handler.traffic;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Limits the traffic of all channels together: see {@link AbstractTrafficShapingHandler}. One instance serves them all,
 * and counts from its construction on.
 *
 * <p>If channels want to write more than the limit allows, they get equal shares, by bytes. A channel with waiting
 * bytes is also not writable while more than {@link #getMaxGlobalWriteSize()} bytes of all channels are waiting. Uses
 * the channels' user-defined writability 2.
 */
@Sharable
public class GlobalTrafficShapingHandler extends AbstractTrafficShapingHandler {
    private static final long DEFAULT_MAX_GLOBAL_WRITE_BYTES = 400L * 1024 * 1024;

    private volatile long maxGlobalWriteBytes = DEFAULT_MAX_GLOBAL_WRITE_BYTES;

    public GlobalTrafficShapingHandler(Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    public GlobalTrafficShapingHandler(Timer timer, long writeLimit, long readLimit, long checkInterval, long maxTime) {
        this(new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, checkInterval, maxTime);
    }

    public GlobalTrafficShapingHandler(Timer timer, long writeLimit, long readLimit) {
        this(timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    public GlobalTrafficShapingHandler(Timer timer, long checkInterval) {
        this(timer, 0, 0, checkInterval);
    }

    /** Counts, and does not limit until {@linkplain #configure(long, long) configured}. */
    public GlobalTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    public GlobalTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    /**
     * Creates a handler for any number of channels.
     *
     * @param objectSizeEstimator returns the bytes of messages that are neither buffers nor files
     * @param timer is not stopped by this handler
     * @param writeLimit bytes per second; 0 or less (the default) means no limit
     * @param readLimit bytes per second; 0 or less (the default) means no limit
     * @param checkInterval milliseconds between two checks of the counter; 0 or less means no checks; the default is
     *     {@link #DEFAULT_CHECK_INTERVAL}
     * @param maxTime the longest time, in milliseconds, that one message may delay the next; more than 0; the default
     *     is {@link #DEFAULT_MAX_TIME}
     */
    public GlobalTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeLimit,
            long readLimit,
            long checkInterval,
            long maxTime) {
        super(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, maxTime);
        trafficCounter = new TrafficCounter(this, timer, "GlobalTC", checkInterval);
        trafficCounter.start();
    }

    public GlobalTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    public GlobalTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer, long checkInterval) {
        this(objectSizeEstimator, timer, 0, 0, checkInterval);
    }

    public GlobalTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer) {
        this(objectSizeEstimator, timer, DEFAULT_CHECK_INTERVAL);
    }

    @Override
    final int writabilityIndex() {
        return 2;
    }

    @Override
    final long maxTotalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /** Returns how many bytes of all channels may wait while they stay writable. Default: 400 MiB. */
    public long getMaxGlobalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /**
     * Sets how many bytes of all channels may wait while they stay writable; more than 0. Applies from the next write.
     */
    public void setMaxGlobalWriteSize(long maxGlobalWriteSize) {
        maxGlobalWriteBytes = positive(maxGlobalWriteSize, "maxGlobalWriteSize");
    }

    /** Returns the number of bytes waiting, of all channels. */
    public long queuesSize() {
        return writes().totalBytes();
    }
}
