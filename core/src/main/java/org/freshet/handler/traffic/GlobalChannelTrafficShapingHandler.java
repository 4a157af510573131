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
 * Limits and counts the traffic of all channels together and of each channel: see
 * {@link AbstractTrafficShapingHandler}. One instance serves all channels.
 *
 * <p>If channels want to write more than the total allows, they get equal shares, by bytes; {@link #setMaxDeviation}
 * gives more to those that have written little so far. The limit of each channel always applies.
 *
 * <p>A channel with waiting bytes is also not writable while more than {@link #getMaxGlobalWriteSize()} bytes of all
 * channels are waiting. Uses the channels' user-defined writability 3.
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

    /** The value of {@link #maximumCumulativeWrittenBytes()} at the last check. */
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
     * Creates a handler for any number of channels.
     *
     * @param objectSizeEstimator returns the bytes of messages that are neither buffers nor files
     * @param timer is not stopped by this handler
     * @param writeGlobalLimit bytes per second of all channels; 0 or less (the default) means no limit
     * @param readGlobalLimit bytes per second of all channels; 0 or less (the default) means no limit
     * @param writeChannelLimit bytes per second of each channel; 0 or less (the default) means no limit
     * @param readChannelLimit bytes per second of each channel; 0 or less (the default) means no limit
     * @param checkInterval milliseconds between two checks of the counter; 0 or less means no checks; the default is
     *     {@link #DEFAULT_CHECK_INTERVAL}
     * @param maxTime the longest time, in milliseconds, that one message may delay the next; more than 0; the default
     *     is {@link #DEFAULT_MAX_TIME}
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

    /** Returns how far a channel may deviate, as a fraction of the bytes written by the busiest channel. */
    public float maxDeviation() {
        return maxDeviation;
    }

    /** Returns 1 plus the value given to {@link #setMaxDeviation}. */
    public float accelerationFactor() {
        return accelerationFactor;
    }

    /** Returns 1 plus the value given to {@link #setMaxDeviation}. */
    public float slowDownFactor() {
        return slowDownFactor;
    }

    /**
     * Sets how the total write rate is shared among channels that want more of it. A channel that has written more than
     * {@code 1 - maxDeviation} of the busiest channel's bytes pays {@code 1 + slowDownFactor} for each byte; one that
     * has written less than {@code maxDeviation} of them pays {@code 1 + accelerationFactor}.
     *
     * @param maxDeviation up to 0.4; 0 or less means that all pay the same; default: 0.1
     * @param slowDownFactor 0 or more; default: 0.4
     * @param accelerationFactor more than -1, up to 0; default: -0.1
     */
    public void setMaxDeviation(float maxDeviation, float slowDownFactor, float accelerationFactor) {
        if (!(maxDeviation <= LARGEST_DEVIATION)) {
            throw new IllegalArgumentException("maxDeviation > 0.4: " + maxDeviation);
        }
        if (!(slowDownFactor >= 0)) {
            throw new IllegalArgumentException("slowDownFactor < 0: " + slowDownFactor);
        }
        if (!(accelerationFactor > -1 && accelerationFactor <= 0)) {
            throw new IllegalArgumentException(
                    "accelerationFactor must be more than -1 and at most 0: " + accelerationFactor);
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

    /** Finds the busiest channel. Overriding methods must call this one too. */
    @Override
    protected void doAccounting(TrafficCounter counter) {
        mostWrittenBytes = maximumCumulativeWrittenBytes();
        super.doAccounting(counter);
    }

    /** Returns the bytes the busiest channel was asked to write; 0 if there is no channel. */
    protected long maximumCumulativeWrittenBytes() {
        return most(TrafficCounter::getCumulativeWrittenBytes);
    }

    /** Returns the most bytes that any channel has read; 0 if there is no channel. */
    protected long maximumCumulativeReadBytes() {
        return most(TrafficCounter::getCumulativeReadBytes);
    }

    private long most(ToLongFunction<TrafficCounter> number) {
        return channelCounters.values().stream().mapToLong(number).max().orElse(0);
    }

    // ---- limits ----

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

    @Override
    final long maxTotalWriteSize() {
        return maxGlobalWriteBytes;
    }

    /** Returns the number of bytes waiting, of all channels. */
    public long queuesSize() {
        return writes().totalBytes();
    }

    /**
     * Changes the limits of each channel, in bytes per second; 0 or less means no limit. Applies to waiting writes,
     * too.
     */
    public void configureChannel(long newWriteLimit, long newReadLimit) {
        readChannelLimit = newReadLimit;
        setWriteChannelLimit(newWriteLimit);
    }

    /** Bytes per second of each channel; 0 or less means no limit. */
    public long getWriteChannelLimit() {
        return writeChannelLimit;
    }

    /** Bytes per second of each channel; 0 or less means no limit. Applies to waiting writes, too. */
    public void setWriteChannelLimit(long writeLimit) {
        writeChannelLimit = writeLimit;
        writes().onConfigured();
    }

    /** Bytes per second of each channel; 0 or less means no limit. */
    public long getReadChannelLimit() {
        return readChannelLimit;
    }

    /** Bytes per second of each channel; 0 or less means no limit. Applies from the next received message. */
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

    /** Returns a view of the counters of all open channels. */
    public Collection<TrafficCounter> channelTrafficCounters() {
        return Collections.unmodifiableCollection(counters());
    }

    /** For code that holds a lock, because users may override the public method. */
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

    /** Sends waiting writes and stops the counters. The timer is not stopped. */
    public final void release() {
        trafficCounter.stop();
        writes().releaseAll();
    }

    /**
     * Can change how long a channel is not read. Returns {@code wait} by default.
     *
     * @param wait how long the limits require, in milliseconds
     * @param now in milliseconds, see {@link TrafficCounter#milliSecondFromNano()}
     * @return milliseconds; less than 10 means no pause
     */
    @Override
    protected long checkWaitReadTime(ChannelHandlerContext ctx, long wait, long now) {
        return wait;
    }

    /**
     * Called after something was received and the resulting pause has begun. Does nothing by default.
     *
     * @param now in milliseconds, see {@link TrafficCounter#milliSecondFromNano()}
     */
    @Override
    protected void informReadOperation(ChannelHandlerContext ctx, long now) {}

    /**
     * Queues a write until it is due.
     *
     * @param size in bytes
     * @param writeDelay how long that will take at the current rates, in milliseconds
     * @param now in milliseconds, see {@link TrafficCounter#milliSecondFromNano()}
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
