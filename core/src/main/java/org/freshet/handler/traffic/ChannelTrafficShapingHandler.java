package org.freshet.handler.traffic;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Limits what one channel reads and writes: see {@link AbstractTrafficShapingHandler}. Each channel needs its own.
 *
 * <pre>{@code
 * pipeline.addFirst("shaping", new ChannelTrafficShapingHandler(timer, 1 << 20, 0)); // writes 1 MiB per second
 * }</pre>
 *
 * <p>Uses the channel's user-defined writability 1.
 */
public class ChannelTrafficShapingHandler extends AbstractTrafficShapingHandler {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ChannelTrafficShapingHandler.class);

    public ChannelTrafficShapingHandler(Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    public ChannelTrafficShapingHandler(
            Timer timer, long writeLimit, long readLimit, long checkInterval, long maxTime) {
        this(new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, checkInterval, maxTime);
    }

    public ChannelTrafficShapingHandler(Timer timer, long writeLimit, long readLimit) {
        this(timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    public ChannelTrafficShapingHandler(Timer timer, long checkInterval) {
        this(timer, 0, 0, checkInterval);
    }

    /** Counts, and does not limit until {@linkplain #configure(long, long) configured}. */
    public ChannelTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    public ChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    /**
     * Creates a handler for one channel.
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
    public ChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeLimit,
            long readLimit,
            long checkInterval,
            long maxTime) {
        super(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, maxTime);
    }

    public ChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    public ChannelTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer, long checkInterval) {
        this(objectSizeEstimator, timer, 0, 0, checkInterval);
    }

    public ChannelTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer) {
        this(objectSizeEstimator, timer, DEFAULT_CHECK_INTERVAL);
    }

    @Override
    final int writabilityIndex() {
        return 1;
    }

    /** Returns the number of bytes waiting. */
    public long queueSize() {
        return writes().totalBytes();
    }

    @Override
    ShapedChannel begin(ChannelHandlerContext ctx) {
        if (trafficCounter == null) {
            String name = "ChannelTC" + ctx.getChannel().getId();
            trafficCounter = new TrafficCounter(this, timer, name, checkInterval);
        }
        return super.begin(ctx);
    }

    @Override
    void begun(ChannelHandlerContext ctx) {
        try {
            trafficCounter.start();
        } catch (Throwable stopped) {
            logger.warn("the timer was stopped, so the traffic of " + ctx.getChannel() + " is not checked", stopped);
        }
    }

    @Override
    void end(ChannelHandlerContext ctx) {
        trafficCounter.stop();
    }
}
