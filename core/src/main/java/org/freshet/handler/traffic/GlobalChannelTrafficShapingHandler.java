package org.freshet.handler.traffic;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Limits what all channels together read and write, and what each of them does: see {@link AbstractTrafficShapingHandler}. One
 * instance serves them all, and counts all and each.
 *
 * <p>Channels that want to write more than there is in total get equal shares, by bytes; {@link #setMaxDeviation} gives more
 * to those that have written little so far. The limit of each channel holds in any case.
 *
 * <p>A channel is not writable either while more than {@link #getMaxGlobalWriteSize()} bytes of all channels wait and some of
 * them are its own. Uses the channels' user-defined writability 3.
 */
@Sharable
public class GlobalChannelTrafficShapingHandler extends AbstractTrafficShapingHandler {
    private static final long DEFAULT_MAX_GLOBAL_WRITE_BYTES = 400L * 1024 * 1024;
    private static final float DEFAULT_MAX_DEVIATION = 0.1f;
    private static final float DEFAULT_SLOW_DOWN_FACTOR = 0.4f;
    private static final float DEFAULT_ACCELERATION_FACTOR = -0.1f;
    private static final float LARGEST_DEVIATION = 0.4f;

    private final ConcurrentMap<Channel, TrafficCounter> channelCounters = new ConcurrentHashMap<>();

    private volatile long writeChannelLimit;
    private volatile long readChannelLimit;
    private volatile long maxGlobalWriteBytes = DEFAULT_MAX_GLOBAL_WRITE_BYTES;

    private volatile float maxDeviation;
    private volatile float slowDownFactor;
    private volatile float accelerationFactor;

    /** {@link #maximumCumulativeWrittenBytes()} at the last check. */
    private volatile long mostWrittenBytes;

    public GlobalChannelTrafficShapingHandler(
            Timer timer,
            long writeGlobalLimit,
            long readGlobalLimit,
            long writeChannelLimit,
            long readChannelLimit,
            long checkInterval,
            long maxTime) {
        this(
                new SimpleObjectSizeEstimator(),
                timer,
                writeGlobalLimit,
                readGlobalLimit,
                writeChannelLimit,
                readChannelLimit,
                checkInterval,
                maxTime);
    }

    public GlobalChannelTrafficShapingHandler(
            Timer timer,
            long writeGlobalLimit,
            long readGlobalLimit,
            long writeChannelLimit,
            long readChannelLimit,
            long checkInterval) {
        this(
                timer,
                writeGlobalLimit,
                readGlobalLimit,
                writeChannelLimit,
                readChannelLimit,
                checkInterval,
                DEFAULT_MAX_TIME);
    }

    public GlobalChannelTrafficShapingHandler(
            Timer timer, long writeGlobalLimit, long readGlobalLimit, long writeChannelLimit, long readChannelLimit) {
        this(timer, writeGlobalLimit, readGlobalLimit, writeChannelLimit, readChannelLimit, DEFAULT_CHECK_INTERVAL);
    }

    public GlobalChannelTrafficShapingHandler(Timer timer, long checkInterval) {
        this(timer, 0, 0, 0, 0, checkInterval);
    }

    public GlobalChannelTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    /**
     * Makes a handler for any number of channels.
     *
     * @param objectSizeEstimator tells the bytes of what is neither a buffer nor a file
     * @param timer is not stopped by this handler
     * @param writeGlobalLimit bytes a second of all channels; 0 and less mean no limit, as by default
     * @param readGlobalLimit bytes a second of all channels; 0 and less mean no limit, as by default
     * @param writeChannelLimit bytes a second of each channel; 0 and less mean no limit, as by default
     * @param readChannelLimit bytes a second of each channel; 0 and less mean no limit, as by default
     * @param checkInterval milliseconds between two checks of the counter; 0 and less for none; {@link
     *     #DEFAULT_CHECK_INTERVAL} by default
     * @param maxTime milliseconds for which one message may keep the next from passing, more than 0; {@link
     *     #DEFAULT_MAX_TIME} by default
     */
    public GlobalChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeGlobalLimit,
            long readGlobalLimit,
            long writeChannelLimit,
            long readChannelLimit,
            long checkInterval,
            long maxTime) {
        super(objectSizeEstimator, timer, writeGlobalLimit, readGlobalLimit, checkInterval, maxTime);
        this.writeChannelLimit = writeChannelLimit;
        this.readChannelLimit = readChannelLimit;
        setMaxDeviation(DEFAULT_MAX_DEVIATION, DEFAULT_SLOW_DOWN_FACTOR, DEFAULT_ACCELERATION_FACTOR);
        trafficCounter = new GlobalChannelTrafficCounter(this, timer, "GlobalChannelTC", checkInterval);
        trafficCounter.start();
    }

    public GlobalChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeGlobalLimit,
            long readGlobalLimit,
            long writeChannelLimit,
            long readChannelLimit,
            long checkInterval) {
        this(
                objectSizeEstimator,
                timer,
                writeGlobalLimit,
                readGlobalLimit,
                writeChannelLimit,
                readChannelLimit,
                checkInterval,
                DEFAULT_MAX_TIME);
    }

    public GlobalChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeGlobalLimit,
            long readGlobalLimit,
            long writeChannelLimit,
            long readChannelLimit) {
        this(
                objectSizeEstimator,
                timer,
                writeGlobalLimit,
                readGlobalLimit,
                writeChannelLimit,
                readChannelLimit,
                DEFAULT_CHECK_INTERVAL);
    }

    public GlobalChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long checkInterval) {
        this(objectSizeEstimator, timer, 0, 0, 0, 0, checkInterval);
    }

    public GlobalChannelTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer) {
        this(objectSizeEstimator, timer, DEFAULT_CHECK_INTERVAL);
    }

    @Override
    final int writabilityIndex() {
        return 3;
    }

    // ---- shares ----

    /** What a channel may deviate, as a part of what the busiest channel has written. */
    public float maxDeviation() {
        return maxDeviation;
    }

    /** 1 and what was given to {@link #setMaxDeviation}. */
    public float accelerationFactor() {
        return accelerationFactor;
    }

    /** 1 and what was given to {@link #setMaxDeviation}. */
    public float slowDownFactor() {
        return slowDownFactor;
    }

    /**
     * Decides how the total write rate is shared among channels that want more of it. A channel that has written nearly as
     * much as the busiest one, or more than {@code 1 - maxDeviation} of it, pays {@code 1 + slowDownFactor} for each byte; one
     * that has written less than {@code maxDeviation} of it pays {@code 1 + accelerationFactor}.
     *
     * @param maxDeviation up to 0.4; 0 and less mean that all pay the same; 0.1 at first
     * @param slowDownFactor 0 or more; 0.4 at first
     * @param accelerationFactor more than -1, up to 0; -0.1 at first
     */
    public void setMaxDeviation(float maxDeviation, float slowDownFactor, float accelerationFactor) {
        if (!(maxDeviation <= LARGEST_DEVIATION)) {
            throw new IllegalArgumentException("maxDeviation > 0.4: " + maxDeviation);
        }
        if (!(slowDownFactor >= 0)) {
            throw new IllegalArgumentException("slowDownFactor < 0: " + slowDownFactor);
        }
        if (!(accelerationFactor > -1 && accelerationFactor <= 0)) {
            throw new IllegalArgumentException("accelerationFactor is not from -1 to 0: " + accelerationFactor);
        }
        this.maxDeviation = maxDeviation;
        this.slowDownFactor = 1 + slowDownFactor;
        this.accelerationFactor = 1 + accelerationFactor;
    }

    @Override
    final double weight(ShapedChannel channel) {
        long most = mostWrittenBytes;
        if (maxDeviation <= 0 || most <= 0) {
            return 1;
        }
        double part = (double) channel.counter.getCumulativeWrittenBytes() / most;
        if (part > 1 - maxDeviation) {
            return slowDownFactor;
        }
        return part < maxDeviation ? accelerationFactor : 1;
    }

    /** Looks which channel is the busiest; overriding methods must call this one too. */
    @Override
    protected void doAccounting(TrafficCounter counter) {
        mostWrittenBytes = maximumCumulativeWrittenBytes();
        super.doAccounting(counter);
    }

    /** What the busiest channel was asked to write; 0 if there is no channel. */
    protected long maximumCumulativeWrittenBytes() {
        return most(TrafficCounter::getCumulativeWrittenBytes);
    }

    /** What the channel that was read most has read; 0 if there is no channel. */
    protected long maximumCumulativeReadBytes() {
        return most(TrafficCounter::getCumulativeReadBytes);
    }

    private long most(ToLongFunction<TrafficCounter> number) {
        return channelCounters.values().stream().mapToLong(number).max().orElse(0);
    }

    // ---- limits ----

    /** Bytes of all channels that may wait while those are writable; 400 MiB at first. */
    public long getMaxGlobalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /** Bytes of all channels that may wait while those are writable; more than 0. Holds from the next write. */
    public void setMaxGlobalWriteSize(long maxGlobalWriteSize) {
        maxGlobalWriteBytes = positive(maxGlobalWriteSize, "maxGlobalWriteSize");
    }

    @Override
    final long maxTotalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /** The bytes that wait, of all channels. */
    public long queuesSize() {
        return writes().totalBytes();
    }

    /** Changes the limits of each channel; holds also for what waits. Bytes a second; 0 and less mean no limit. */
    public void configureChannel(long newWriteLimit, long newReadLimit) {
        readChannelLimit = newReadLimit;
        setWriteChannelLimit(newWriteLimit);
    }

    /** Bytes a second of each channel; 0 and less mean no limit. */
    public long getWriteChannelLimit() {
        return writeChannelLimit;
    }

    /** Holds also for what waits already. Bytes a second of each channel; 0 and less mean no limit. */
    public void setWriteChannelLimit(long writeLimit) {
        writeChannelLimit = writeLimit;
        writes().onConfigured();
    }

    /** Bytes a second of each channel; 0 and less mean no limit. */
    public long getReadChannelLimit() {
        return readChannelLimit;
    }

    /** Holds from what is received next. Bytes a second of each channel; 0 and less mean no limit. */
    public void setReadChannelLimit(long readLimit) {
        readChannelLimit = readLimit;
    }

    @Override
    final long channelWriteLimit() {
        return writeChannelLimit;
    }

    @Override
    final long channelReadLimit() {
        return readChannelLimit;
    }

    // ---- channels ----

    /** The counters of all open channels; a view. */
    public Collection<TrafficCounter> channelTrafficCounters() {
        return Collections.unmodifiableCollection(counters());
    }

    /** For code that holds a lock, which must not call what users may override. */
    final Collection<TrafficCounter> counters() {
        return channelCounters.values();
    }

    @Override
    final TrafficCounter newChannelCounter(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        TrafficCounter counter = new TrafficCounter(this, null, "ChannelTC" + channel.getId(), checkInterval);
        channelCounters.put(channel, counter);
        return counter;
    }

    @Override
    final void end(ChannelHandlerContext ctx) {
        channelCounters.remove(ctx.getChannel());
    }

    /** Sends waiting writes, and stops the counters; the timer goes on. */
    public final void release() {
        trafficCounter.stop();
        writes().releaseAll();
    }

    /**
     * May change for how long a channel is not read; returns {@code wait} by default.
     *
     * @param wait what the limits want, in milliseconds
     * @param now in milliseconds, of {@link TrafficCounter#milliSecondFromNano()}
     * @return milliseconds; less than 10 mean not at all
     */
    @Override
    protected long checkWaitReadTime(ChannelHandlerContext ctx, long wait, long now) {
        return wait;
    }

    /**
     * Called when something was received, after the pause that follows from it has begun; does nothing by default.
     *
     * @param now in milliseconds, of {@link TrafficCounter#milliSecondFromNano()}
     */
    @Override
    protected void informReadOperation(ChannelHandlerContext ctx, long now) {}

    /**
     * Queues a write until its time has come.
     *
     * @param size its bytes
     * @param writeDelay how long that is going to take at the rates of now, in milliseconds
     * @param now in milliseconds, of {@link TrafficCounter#milliSecondFromNano()}
     */
    @Override
    protected void submitWrite(ChannelHandlerContext ctx, MessageEvent e, long size, long writeDelay, long now)
            throws Exception {
        super.submitWrite(ctx, e, size, writeDelay, now);
    }

    @Override
    public String toString() {
        return super.toString() + ", each channel: writing " + writeChannelLimit + " B/s, reading " + readChannelLimit
                + " B/s";
    }
}
