package org.freshet.handler.traffic;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.telemetry.Explainable;
import org.freshet.telemetry.Explanation;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ObjectSizeEstimator;
import org.freshet.util.Timer;

/**
 * Limits how many bytes per second channels read and write, and counts them. {@link ChannelTrafficShapingHandler} does
 * so for one channel, {@link GlobalTrafficShapingHandler} for all channels together,
 * {@link GlobalChannelTrafficShapingHandler} for each channel and all together. Put it where messages have their size
 * on the wire: normally first in the pipeline.
 *
 * <h2>Writing</h2>
 *
 * A write that exceeds the rate waits in a queue until it is due, and is then sent in order on the channel's I/O
 * thread. While more than {@link #getMaxWriteSize()} bytes of a channel are waiting, or the last of them will wait
 * longer than {@link #getMaxWriteDelay()}, the channel is not
 * {@link org.freshet.channel.Channel#isWritable() writable}. It becomes writable again when both are down to half.
 * Later writes are still queued. Writes waiting when the channel closes fail with
 * {@link java.nio.channels.ClosedChannelException}. When the handler is removed from the pipeline, waiting writes are
 * sent immediately.
 *
 * <h2>Reading</h2>
 *
 * A received message is passed on immediately. Then the channel is not read for as long as the message should have
 * taken. If handlers above call {@code setReadable}, it takes effect after that pause.
 *
 * <h2>Precision</h2>
 *
 * The rate is exact in the long run: whatever is sent early makes the next wait longer, and a timer that is up to a
 * second late is compensated for. Waits below 10 milliseconds are accumulated rather than waited for. A single message
 * delays the next by at most {@link #getMaxTimeWait()}, so if messages would take longer than that at the set rate, the
 * actual rate is higher.
 *
 * <p>After the timer is stopped, nothing is limited any more.
 *
 * <p>Any thread may call any method. The context's attachment is reserved for this handler.
 */
public abstract class AbstractTrafficShapingHandler extends SimpleChannelHandler
        implements LifeCycleAwareChannelHandler, ExternalResourceReleasable, Explainable {
    /** Milliseconds between two checks of the counter. */
    public static final long DEFAULT_CHECK_INTERVAL = 1000;

    /** The longest time, in milliseconds, that one message may delay the next. */
    public static final long DEFAULT_MAX_TIME = 15000;

    private static final long DEFAULT_MAX_WRITE_DELAY_MILLIS = 4000;
    private static final long DEFAULT_MAX_WRITE_BYTES = 4 * 1024 * 1024;

    /** In a handler for one channel, null until the channel is open. */
    protected TrafficCounter trafficCounter;

    protected Timer timer;

    /**
     * Milliseconds between two checks of the counter; 0 or less means no checks. Change it with
     * {@link #setCheckInterval}.
     */
    protected volatile long checkInterval;

    /**
     * The longest time, in milliseconds, that one message may delay the next. Change it with {@link #setMaxTimeWait}.
     */
    protected volatile long maxTime;

    private final ObjectSizeEstimator objectSizeEstimator;
    private final WriteShaper writes;
    private final ReadShaper reads = new ReadShaper(this);

    private final ShapedChannels channels = new ShapedChannels(this);

    private volatile long writeLimit;
    private volatile long readLimit;
    private volatile long maxWriteDelayMillis = DEFAULT_MAX_WRITE_DELAY_MILLIS;
    private volatile long maxWriteBytes = DEFAULT_MAX_WRITE_BYTES;

    /** Estimates buffers and files by the bytes left to send, other objects like its superclass. */
    public static class SimpleObjectSizeEstimator extends DefaultObjectSizeEstimator {
        public SimpleObjectSizeEstimator() {}

        @Override
        public int estimateSize(Object object) {
            if (object instanceof ChannelBuffer buffer) {
                return buffer.readableBytes();
            }
            if (object instanceof FileRegion file) {
                return (int) Math.min(file.getCount(), Integer.MAX_VALUE);
            }
            return super.estimateSize(object);
        }
    }

    protected AbstractTrafficShapingHandler(
            Timer timer, long writeLimit, long readLimit, long checkInterval, long maxTime) {
        this(new SimpleObjectSizeEstimator(), timer, writeLimit, readLimit, checkInterval, maxTime);
    }

    /**
     * Creates a handler.
     *
     * @param objectSizeEstimator returns the bytes of messages that are neither buffers nor files; other constructors
     *     use a {@link SimpleObjectSizeEstimator}
     * @param timer is not stopped by this handler
     * @param writeLimit bytes per second; 0 or less (the default) means no limit
     * @param readLimit bytes per second; 0 or less (the default) means no limit
     * @param checkInterval milliseconds between two checks of the counter; 0 or less means no checks; the default is
     *     {@link #DEFAULT_CHECK_INTERVAL}
     * @param maxTime the longest time, in milliseconds, that one message may delay the next; more than 0; the default
     *     is {@link #DEFAULT_MAX_TIME}
     */
    protected AbstractTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator,
            Timer timer,
            long writeLimit,
            long readLimit,
            long checkInterval,
            long maxTime) {
        this.objectSizeEstimator = Objects.requireNonNull(objectSizeEstimator, "objectSizeEstimator");
        this.timer = Objects.requireNonNull(timer, "timer");
        this.writeLimit = writeLimit;
        this.readLimit = readLimit;
        this.checkInterval = checkInterval;
        this.maxTime = positive(maxTime, "maxTime");
        this.writes = new WriteShaper(this);
    }

    protected AbstractTrafficShapingHandler(Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    protected AbstractTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit, long checkInterval) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, checkInterval, DEFAULT_MAX_TIME);
    }

    protected AbstractTrafficShapingHandler(Timer timer, long writeLimit, long readLimit) {
        this(timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    protected AbstractTrafficShapingHandler(
            ObjectSizeEstimator objectSizeEstimator, Timer timer, long writeLimit, long readLimit) {
        this(objectSizeEstimator, timer, writeLimit, readLimit, DEFAULT_CHECK_INTERVAL);
    }

    protected AbstractTrafficShapingHandler(Timer timer, long checkInterval) {
        this(timer, 0, 0, checkInterval);
    }

    protected AbstractTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer, long checkInterval) {
        this(objectSizeEstimator, timer, 0, 0, checkInterval);
    }

    protected AbstractTrafficShapingHandler(Timer timer) {
        this(timer, DEFAULT_CHECK_INTERVAL);
    }

    protected AbstractTrafficShapingHandler(ObjectSizeEstimator objectSizeEstimator, Timer timer) {
        this(objectSizeEstimator, timer, DEFAULT_CHECK_INTERVAL);
    }

    static long positive(long value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " <= 0: " + value);
        }
        return value;
    }

    // ---- defined by subclasses ----

    /** The index of the user-defined writability that this handler uses. */
    abstract int writabilityIndex();

    /** Bytes per second of each channel; 0 or less means no limit. */
    long channelWriteLimit() {
        return 0;
    }

    /** Bytes per second of each channel; 0 or less means no limit. */
    long channelReadLimit() {
        return 0;
    }

    /** How many bytes of all channels may wait before a channel that writes becomes unwritable. */
    long maxTotalWriteSize() {
        return Long.MAX_VALUE;
    }

    /** Returns null if channels have no counters of their own. */
    TrafficCounter newChannelCounter(ChannelHandlerContext ctx) {
        return null;
    }

    /** The weight of this channel's bytes when the shared rate is divided. */
    double weight(ShapedChannel channel) {
        return 1;
    }

    /** Can change how long this channel is not read, in milliseconds. */
    long checkWaitReadTime(ChannelHandlerContext ctx, long wait, long now) {
        return wait;
    }

    /** Called after something was received and the resulting pause has begun. */
    void informReadOperation(ChannelHandlerContext ctx, long now) {}

    // ---- settings ----

    /** Same as {@link #setWriteLimit}, {@link #setReadLimit} and {@link #setCheckInterval}. */
    public void configure(long newWriteLimit, long newReadLimit, long newCheckInterval) {
        configure(newWriteLimit, newReadLimit);
        configure(newCheckInterval);
    }

    /** Same as {@link #setWriteLimit} and {@link #setReadLimit}. */
    public void configure(long newWriteLimit, long newReadLimit) {
        readLimit = newReadLimit;
        setWriteLimit(newWriteLimit);
    }

    /** Same as {@link #setCheckInterval}. */
    public void configure(long newCheckInterval) {
        setCheckInterval(newCheckInterval);
    }

    /** Adds the limits. */
    @Override
    public void explain(ChannelHandlerContext ctx, Explanation out) {
        out.put("bytes per second, 0 for no limit", "write " + writeLimit + ", read " + readLimit);
    }

    /** Bytes per second; 0 or less means no limit. */
    public long getWriteLimit() {
        return writeLimit;
    }

    /** Bytes per second; 0 or less means no limit. Applies to waiting writes, too. */
    public void setWriteLimit(long writeLimit) {
        this.writeLimit = writeLimit;
        writes.onConfigured();
    }

    /** Bytes per second; 0 or less means no limit. */
    public long getReadLimit() {
        return readLimit;
    }

    /** Bytes per second; 0 or less means no limit. Applies from the next received message. */
    public void setReadLimit(long readLimit) {
        this.readLimit = readLimit;
    }

    /** Milliseconds between two checks of the counter; 0 or less means no checks. */
    public long getCheckInterval() {
        return checkInterval;
    }

    /** Milliseconds between two checks of the counter; 0 or less means no checks. */
    public void setCheckInterval(long newCheckInterval) {
        checkInterval = newCheckInterval;
        TrafficCounter counter = trafficCounter;
        if (counter != null) {
            counter.configure(newCheckInterval);
        }
    }

    /** The longest time, in milliseconds, that one message may delay the next. */
    public long getMaxTimeWait() {
        return maxTime;
    }

    /** The longest time, in milliseconds, that one message may delay the next; more than 0. */
    public void setMaxTimeWait(long maxTime) {
        this.maxTime = positive(maxTime, "maxTime");
    }

    /**
     * The longest wait, in milliseconds, of a channel's last write at which the channel stays writable. Default: 4000.
     */
    public long getMaxWriteDelay() {
        return maxWriteDelayMillis;
    }

    /**
     * The longest wait, in milliseconds, of a channel's last write at which the channel stays writable; more than 0.
     */
    public void setMaxWriteDelay(long maxWriteDelay) {
        maxWriteDelayMillis = positive(maxWriteDelay, "maxWriteDelay");
    }

    /** How many bytes may wait while the channel stays writable. Default: 4 MiB. */
    public long getMaxWriteSize() {
        return maxWriteBytes;
    }

    /** How many bytes may wait while the channel stays writable; 0 or more. Applies from the next write. */
    public void setMaxWriteSize(long maxWriteSize) {
        if (maxWriteSize < 0) {
            throw new IllegalArgumentException("maxWriteSize < 0: " + maxWriteSize);
        }
        maxWriteBytes = maxWriteSize;
    }

    /** In a handler for one channel, returns null until the channel is open. */
    public TrafficCounter getTrafficCounter() {
        return trafficCounter;
    }

    /**
     * Called at each check with the counter's new numbers, on the timer's thread. Does nothing by default. If it
     * throws, the exception is logged.
     *
     * @param counter {@link #getTrafficCounter()}
     */
    protected void doAccounting(TrafficCounter counter) {}

    /** Returns the bytes of a message. A message with a negative number is neither limited nor counted. */
    protected long calculateSize(Object message) {
        return message instanceof FileRegion file ? file.getCount() : objectSizeEstimator.estimateSize(message);
    }

    // ---- the channels ----

    /** Also handles a channel that is already open. */
    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isOpen()) {
            channels.begin(ctx);
            if (!ctx.getChannel().isOpen()) {
                endWithChannel(ctx); // channelClosed may have been fired before
            }
        }
    }

    /** Sends waiting writes, and resumes reading. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        ShapedChannel channel = channels.end(ctx);
        if (channel != null) {
            writes.release(channel);
        }
    }

    /** Not on channelConnected: a thread that waits for the connect future may write before that event arrives here. */
    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        channels.begin(ctx);
        super.channelOpen(ctx, e);
    }

    /** Fails waiting writes. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        endWithChannel(ctx);
        super.channelClosed(ctx, e);
    }

    private void endWithChannel(ChannelHandlerContext ctx) {
        ShapedChannel channel = channels.end(ctx);
        if (channel != null) {
            writes.close(channel);
        }
    }

    /** Called for each channel before it is shaped, under a lock. */
    ShapedChannel begin(ChannelHandlerContext ctx) {
        ReadSuspension reading = ReadSuspension.at(ctx);
        ReadPause pause = new ReadPause(reading, timer);
        return new ShapedChannel(this, ctx, reading, pause, newChannelCounter(ctx));
    }

    /** Called for each channel after it began, not under a lock. */
    void begun(ChannelHandlerContext ctx) {}

    /** Called for each channel that began, when it is no longer shaped; possibly twice. */
    void end(ChannelHandlerContext ctx) {}

    /** Returns null before the channel is open, and after it was closed. */
    static ShapedChannel shaped(ChannelHandlerContext ctx) {
        return ShapedChannels.of(ctx);
    }

    // ---- reading ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ShapedChannel channel = shaped(ctx);
        long bytes = calculateSize(e.getMessage());
        if (channel != null && bytes >= 0) {
            reads.onRead(channel, bytes, readLimit);
        }
        super.messageReceived(ctx, e);
    }

    @Override
    public void setInterestOpsRequested(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        ShapedChannel channel = shaped(ctx);
        if (channel != null) {
            channel.reading.request(e);
        } else {
            super.setInterestOpsRequested(ctx, e);
        }
    }

    // ---- writing ----

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ShapedChannel channel = shaped(ctx);
        if (channel == null) {
            super.writeRequested(ctx, e);
            return;
        }
        long size = calculateSize(e.getMessage()); // may throw, so before anything is charged
        HeldWrite write = HeldWrite.of(e);
        Exception refusal = WriteAccount.admit(ctx.getChannel(), write.charge());
        if (refusal != null) {
            UnsentMessage.fail(e, refusal);
            return;
        }
        long delayMillis = shape(channel, write, size);
        if (delayMillis > 0) {
            submitWrite(ctx, write, delayMillis);
        }
    }

    /** Returns 0 if the write was sent. If this throws, the write's charge is released. */
    private long shape(ShapedChannel channel, HeldWrite write, long size) {
        try {
            if (size >= 0) {
                trafficCounter.countAskedToWrite(size);
                if (channel.counter != null) {
                    channel.counter.countAskedToWrite(size);
                }
            }
            return writes.sendIfDue(channel, write, Math.max(0, size));
        } catch (Throwable t) {
            HeldWrite.release(write);
            throw t;
        }
    }

    /** Sends a write that is due down the pipeline. */
    protected void internalSubmitWrite(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        ctx.sendDownstream(e);
    }

    /**
     * Queues a write until it is due.
     *
     * @param delay how long that will take at the current rate, in milliseconds
     */
    protected void submitWrite(ChannelHandlerContext ctx, MessageEvent e, long delay) throws Exception {
        long bytes;
        long nowMillis;
        try {
            bytes = Math.max(0, calculateSize(e.getMessage()));
            nowMillis = TimeUnit.NANOSECONDS.toMillis(timer.nanoTime());
        } catch (Throwable t) {
            HeldWrite.release(e);
            throw t;
        }
        submitWrite(ctx, e, bytes, delay, nowMillis);
    }

    void submitWrite(ChannelHandlerContext ctx, MessageEvent e, long size, long delay, long now) throws Exception {
        ShapedChannel channel = shaped(ctx);
        if (channel != null) {
            writes.enqueue(channel, e, size);
        } else {
            WriteAccount.passOn(ctx, HeldWrite.unwrap(e), HeldWrite.chargeOf(e));
        }
    }

    /** For {@link WriteShaper}. Never throws. */
    final void passOn(ShapedWrite write) {
        ShapedChannel channel = write.channel;
        try {
            trafficCounter.countPassedOn(write.bytes);
            if (channel.counter != null) {
                channel.counter.countPassedOn(write.bytes);
            }
            WriteAccount.passOn(channel.channel(), HeldWrite.chargeOf(write.event), write);
        } catch (Throwable e) {
            WriteShaper.fail(write, e);
        }
    }

    final WriteShaper writes() {
        return writes;
    }

    final Timer timer() {
        return timer;
    }

    /**
     * Ends the shaping of all channels: waiting writes are sent immediately, reading resumes, and the counter stops.
     * The timer is not stopped, because others may use it.
     */
    @Override
    public void releaseExternalResources() {
        reads.release();
        TrafficCounter counter = trafficCounter;
        if (counter != null) {
            counter.stop();
        }
        channels.cancelPauses();
        writes.releaseAll();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(writing: " + writeLimit + " B/s, reading: " + readLimit + " B/s, "
                + writes.totalBytes() + " B waiting, " + trafficCounter + ")";
    }
}
