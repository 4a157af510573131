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
 * pipeline.addFirst("shaping", new ChannelTrafficShapingHandler(timer, 1 << 20, 0)); // writes 1 MiB a second
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

    /** Counts and does not limit, until it is {@linkplain #configure(long, long) told to}. */
    public ChannelTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    public ChannelTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    /**
     * Makes a handler for one channel.
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

    /** The bytes that wait. */
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
        } catch (RuntimeException | Error stopped) {
            logger.warn("the timer was stopped, so the traffic of " + ctx.getChannel() + " is not checked", stopped);
        }
    }

    @Override
    void end(ChannelHandlerContext ctx) {
        trafficCounter.stop();
    }
}
