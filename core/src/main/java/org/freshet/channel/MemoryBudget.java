package org.freshet.channel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A ceiling for all that waits to be sent in this process: the root of the channels' {@linkplain WriteAccount accounts}. Above it, the
 * channels with the longest backlogs are closed with {@link CloseReason.Kind#OVERFLOW}, until 90 percent of it are left, instead of
 * all of them dying of an {@link OutOfMemoryError}. It makes no difference where a backlog waits, or whether its channel is writable.
 *
 * <p>Until they have released what they hold, writes are refused as above a channel's {@link ChannelOption#WRITE_BUFFER_LIMIT}, the
 * less harmful the later:
 *
 * <table>
 * <caption>Writes that are refused</caption>
 * <tr><th>above the ceiling by</th><th>are refused</th></tr>
 * <tr><td>2 percent</td><td>writes to a channel that would then hold more than its share, the ceiling divided by the number of channels
 * with backlogs; unless nothing else waits there</td></tr>
 * <tr><td>4 percent</td><td>these, too, and messages of more than 16 KiB</td></tr>
 * <tr><td>10 percent</td><td>all but a few KiB per channel</td></tr>
 * </table>
 *
 * <p>Until the last, messages of up to 16 KiB are accepted on channels with less than 64 KiB, or their high water mark if that is lower. So
 * an application that writes only while {@link Channel#isWritable()} keeps its connections while others fill the memory.
 *
 * <p>A buffer that waits on several channels counts for each of them, although it takes memory once: an application that sends one large
 * buffer to many slow peers needs a higher ceiling.
 *
 * <p>The sum is kept where messages are charged, in steps of 4 KiB per channel, so that a channel whose peer keeps up costs nothing here.
 *
 * <p>A heap can be full below the ceiling, or without one. When an {@link OutOfMemoryError} reaches Freshet, out of a handler or a write for
 * example, and the heap has no room for 2 MiB, the ceiling falls to just below what waits, whatever it was set to. It never falls below an
 * eighth of the heap: an application that fills the heap by itself keeps connections with less. Once there is room for 2 MiB, the ceiling
 * is again what was set.
 *
 * <p>The ceiling is half of the largest possible heap, or the value of {@code -Dorg.freshet.writeBudget} in bytes. It is the last resort:
 * bound each channel by {@link ChannelOption#WRITE_BUFFER_LIMIT}. Any thread may call.
 */
public final class MemoryBudget {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryBudget.class);

    /** A channel's sum counts in steps of so many bytes, a power of two. */
    private static final int STEP_SHIFT = 12;

    private static final int UNITS_TO_STEPS = STEP_SHIFT - AccountedChannel.UNIT_SHIFT;

    /** Above the ceiling by so many percent, channels above their share are refused writes. */
    private static final int TO_SHARES = 2;

    /** Here large messages are, too. */
    private static final int TO_LARGE = 4;

    /** Here all are. */
    private static final int TO_ALL = 10;

    /** A channel with so much is always known, whatever all together have. */
    private static final long MUCH = AccountedChannel.unitsOf(64 * 1024);

    /** Of a message, and so the most by which the last message that is written to a writable channel passes the mark. */
    private static final long SMALL_MESSAGE = AccountedChannel.unitsOf(16 * 1024 + WriteAccount.MESSAGE_BYTES);

    /** A full heap puts the ceiling by this part below what waits, so that writes are refused as above {@link #TO_LARGE}. */
    private static final int FULL_HEAP_PART = 16;

    /** Between two looks. */
    private static final long LOOK_MILLIS = 1;

    private static final AtomicLong STEPS = new AtomicLong();
    private static final AtomicBoolean IS_CLOSING = new AtomicBoolean();
    private static final Runnable LOOK = MemoryBudget::onLook; // linked here: the first use takes memory
    private static final SafetyTimer.Pending LOOK_AGAIN = SafetyTimer.spare(LOOK);
    private static final LongAdder CLOSED = new LongAdder();

    /** What may wait even in a full heap, which something else must fill then. */
    private static final long HARMLESS_BYTES = Runtime.getRuntime().maxMemory() / 8;

    /** What was set. */
    private static volatile long limitBytes =
            Long.getLong("org.freshet.writeBudget", Runtime.getRuntime().maxMemory() / 2);

    /** While the heap is full, what may wait then; otherwise 0. */
    private static volatile long fullHeapBytes;

    static {
        HeapReserve.whenFull(MemoryBudget::onHeapFull);
    }

    private MemoryBudget() {}

    /** As it was set, in bytes; 0 for no limit. Full heaps don't change it. */
    public static long getLimit() {
        return limitBytes;
    }

    /**
     * Sets the ceiling. Without one, channels are closed only once the heap is full. Best before channels have backlogs: after it was lowered, those of less than 64 KiB that have not changed since are not
     * among the channels that are closed.
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

    /** The channels that were closed because of the ceiling so far: those with most waiting, and those that wrote beyond their share. */
    public static long getClosed() {
        return CLOSED.sum();
    }

    // ---- for accounts -----------------------------------------------------------------------------------------------

    /** The sum of a channel that is no part of another has changed. Throws nothing. */
    static void onMoved(AccountedChannel account, long unitsBefore, long unitsAfter) {
        long steps = (unitsAfter >> UNITS_TO_STEPS) - (unitsBefore >> UNITS_TO_STEPS);
        if (steps == 0) {
            return;
        }
        long sum = STEPS.addAndGet(steps) << STEP_SHIFT;
        if (steps < 0) {
            if (!isCounted(unitsAfter)) {
                Holders.update(account);
            }
            return;
        }
        long limit = ceilingBytes();
        if (unitsAfter >= MUCH
                || limit > 0 && sum > limit / 2) { // so the unknown have less than half of the ceiling together
            Holders.update(account);
        }
        if (limit > 0 && sum > limit) {
            closeLater();
        }
    }

    /** Whether a channel with such a sum takes part in the budget. */
    static boolean isCounted(long units) {
        return units >> UNITS_TO_STEPS != 0;
    }

    private static boolean isExceeded() {
        long limit = ceilingBytes();
        return limit > 0 && getQueuedBytes() > limit;
    }

    /** What is enforced now, in bytes; 0 for no limit. */
    static long ceilingBytes() {
        long whenFull = fullHeapBytes;
        long limit = limitBytes;
        return whenFull == 0 || limit > 0 && limit < whenFull ? limit : whenFull;
    }

    /** Somewhat less than waits now is to wait. Takes no memory and throws nothing. */
    private static void onHeapFull() {
        long queued = getQueuedBytes();
        long enough = Math.max(queued - queued / FULL_HEAP_PART, HARMLESS_BYTES);
        if (fullHeapBytes == 0 || enough < fullHeapBytes) {
            fullHeapBytes = enough;
        }
        closeLater(); // after the change: the look ends what has begun before it
    }

    /** Whether there are channels to which {@link #hasRoom} answers no. */
    static boolean isExhausted() {
        return isAbove(ceilingBytes(), TO_SHARES);
    }

    private static boolean isAbove(long limit, int percent) {
        return limit > 0 && getQueuedBytes() > limit + limit / 100 * percent;
    }

    /**
     * Whether a message may wait.
     *
     * @param before what waits on the channel, in units
     * @param units of the message
     * @param highUnits the channel's high water mark
     */
    static boolean hasRoom(long before, long units, long highUnits) {
        long limit = ceilingBytes();
        if (!isAbove(limit, TO_SHARES)) {
            return true;
        }
        long after = before + units;
        int refusedAbove = TO_SHARES;
        if (units <= SMALL_MESSAGE && before <= Math.min(highUnits, MUCH)) {
            refusedAbove = TO_ALL;
        } else if (before == 0 || after <= AccountedChannel.unitsOf(limit / Math.max(Holders.count(), 1))) {
            refusedAbove = TO_LARGE;
        }
        return !isAbove(limit, refusedAbove) || !isCounted(after);
    }

    /** A channel closes, because a write passed its share. */
    static void onShareExceeded() {
        CLOSED.increment();
    }

    private static void closeLater() {
        if (!IS_CLOSING.get() && IS_CLOSING.compareAndSet(false, true)) {
            try {
                SafetyTimer.startBlocking(LOOK_MILLIS, TimeUnit.MILLISECONDS, LOOK);
            } catch (Throwable withoutMemory) {
                LOOK_AGAIN.retry();
            }
        }
    }

    /** Closing a channel may run listeners, which may block. */
    private static void onLook() {
        IS_CLOSING.set(false); // first: what is charged meanwhile may need another look, and so may a look that fails
        try {
            if (isExceeded()) {
                closeGreatest();
            }
        } finally {
            lookForMemory();
        }
    }

    private static void lookForMemory() {
        if (HeapReserve.retake()) {
            fullHeapBytes = 0;
        } else {
            LOOK_AGAIN.retry();
        }
    }

    private static void closeGreatest() {
        long limit = ceilingBytes();
        if (limit == 0) {
            return;
        }
        CLOSED.add(Backlogs.of(Holders.now(), MemoryBudget::getQueuedBytes).closeGreatest(limit, logger));
    }
}
