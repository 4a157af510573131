package org.freshet.handler.traffic;

import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Limits what all channels together read and write: see {@link AbstractTrafficShapingHandler}. One instance serves them all,
 * and counts from its construction on.
 *
 * <p>Channels that want to write more than there is get equal shares, by bytes. A channel is not writable either while more
 * than {@link #getMaxGlobalWriteSize()} bytes of all channels wait and some of them are its own. Uses the channels' user-defined
 * writability 2.
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

    /** Counts and does not limit, until it is {@linkplain #configure(long, long) told to}. */
    public GlobalTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    public GlobalTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    /**
     * Makes a handler for any number of channels.
     *
     * @param objectSizeEstimator tells the bytes of what is neither a buffer nor a file
     * @param timer is not stopped by this handler
     * @param writeLimit bytes a second; 0 and less mean no limit, as by default
     * @param readLimit bytes a second; 0 and less mean no limit, as by default
     * @param checkInterval milliseconds between two checks of the counter; 0 and less for none; {@link
     *     #DEFAULT_CHECK_INTERVAL} by default
     * @param maxTime milliseconds for which one message may keep the next from passing, more than 0; {@link
     *     #DEFAULT_MAX_TIME} by default
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

    /** Bytes of all channels that may wait while those are writable; 400 MiB at first. */
    public long getMaxGlobalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /** Bytes of all channels that may wait while those are writable; more than 0. Holds from the next write. */
    public void setMaxGlobalWriteSize(long maxGlobalWriteSize) {
        maxGlobalWriteBytes = positive(maxGlobalWriteSize, "maxGlobalWriteSize");
    }

    /** The bytes that wait, of all channels. */
    public long queuesSize() {
        return writes().totalBytes();
    }
}
