package org.freshet.channel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.internal.time.SpareThreads;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A ceiling for all that waits to be sent in this process: the root of the channels' {@linkplain WriteAccount accounts}. Above it, the
 * channels with the longest backlogs are closed with {@link CloseReason.Kind#OVERFLOW}, until 90 percent of it are left, instead of
 * all of them dying of an {@link OutOfMemoryError}. Until that has happened, nothing passes the ceiling by more than 5 percent: a write
 * that would wait behind others is treated as one above the channel's {@link ChannelOption#WRITE_BUFFER_LIMIT}.
 *
 * <p>A buffer that waits on several channels counts for each of them, although it takes memory once: an application that sends one large
 * buffer to many slow peers needs a higher ceiling.
 *
 * <p>The sum is kept where messages are charged, in steps of 4 KiB per channel, so that a channel whose peer keeps up costs nothing here.
 *
 * <p>The ceiling is half of the largest possible heap, or the value of {@code -Dorg.freshet.writeBudget} in bytes. It is the last resort:
 * bound each channel by {@link ChannelOption#WRITE_BUFFER_LIMIT}. Any thread may call.
 */
public final class MemoryBudget {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryBudget.class);

    /** A channel's sum counts in steps of so many bytes, a power of two. */
    private static final int STEP_SHIFT = 12;

    private static final int UNITS_TO_STEPS = STEP_SHIFT - AccountedChannel.UNIT_SHIFT;

    /** Above the ceiling by one part in so many, writes are refused. */
    private static final int TOLERANCE = 20;

    /** So that channels that are being closed have time to release what they hold before the next look. */
    private static final long LOOK_MILLIS = 5;

    private static final AtomicLong STEPS = new AtomicLong();
    private static final AtomicBoolean IS_CLOSING = new AtomicBoolean();
    private static final LongAdder CLOSED = new LongAdder();

    private static volatile long limitBytes =
            Long.getLong("org.freshet.writeBudget", Runtime.getRuntime().maxMemory() / 2);

    private MemoryBudget() {}

    /** In bytes; 0 for no limit. */
    public static long getLimit() {
        return limitBytes;
    }

    /**
     * Sets the ceiling.
     *
     * @param bytes 0 or more; 0 means no limit
     */
    public static void setLimit(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes < 0: " + bytes);
        }
        limitBytes = bytes;
        if (isExceeded()) {
            closeLater();
        }
    }

    /** The bytes that wait to be sent on all channels, without a remainder of less than 4 KiB for each. */
    public static long getQueuedBytes() {
        return STEPS.get() << STEP_SHIFT;
    }

    /** The bytes that wait to be sent on one channel; the same as {@link WriteAccount#waitingBytes}. */
    public static long getQueuedBytes(Channel channel) {
        return WriteAccount.waitingBytes(channel);
    }

    /** The number of channels that are not writable now. */
    public static int getCongestedChannels() {
        return CongestedChannels.now().size();
    }

    /** The channels that were closed because of the ceiling so far. */
    public static long getClosed() {
        return CLOSED.sum();
    }

    // ---- for accounts -----------------------------------------------------------------------------------------------

    /** The sum of a channel has changed. */
    static void onMoved(long unitsBefore, long unitsAfter) {
        long steps = (unitsAfter >> UNITS_TO_STEPS) - (unitsBefore >> UNITS_TO_STEPS);
        if (steps != 0) {
            STEPS.addAndGet(steps);
            if (steps > 0 && isExceeded()) {
                closeLater();
            }
        }
    }

    /** Whether a channel with such a sum takes part in the budget. */
    static boolean isCounted(long units) {
        return units >> UNITS_TO_STEPS != 0;
    }

    private static boolean isExceeded() {
        long limit = limitBytes;
        return limit > 0 && getQueuedBytes() > limit;
    }

    /** Whether no write that would wait behind others may be charged any more. */
    static boolean isExhausted() {
        long limit = limitBytes;
        return limit > 0 && getQueuedBytes() > limit + limit / TOLERANCE;
    }

    private static void closeLater() {
        if (!IS_CLOSING.get() && IS_CLOSING.compareAndSet(false, true)) {
            try {
                SafetyTimer.start(LOOK_MILLIS, TimeUnit.MILLISECONDS, MemoryBudget::onLook);
            } catch (Throwable t) { // without memory for it; the next charge tries again
                IS_CLOSING.set(false);
            }
        }
    }

    /** Closing a channel may run listeners, which may block. */
    private static void onLook() {
        IS_CLOSING.set(false); // first: what is charged meanwhile may need another look, and so may a look that fails
        if (isExceeded()) {
            SpareThreads.execute(MemoryBudget::closeGreatest);
        }
    }

    private static void closeGreatest() {
        CLOSED.add(Backlogs.of(CongestedChannels.now()).closeGreatest(limitBytes, logger));
    }
}
