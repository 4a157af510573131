package org.freshet.channel;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A ceiling for everything that waits to be sent in this process: the root of the channels' {@linkplain WriteAccount accounts}. Above it,
 * the channels with the largest backlogs are closed with {@link CloseReason.Kind#OVERFLOW} until the total is down to 90 percent of the
 * ceiling. Without it, all channels could die of an {@link OutOfMemoryError}. It makes no difference where a backlog waits, or whether its
 * channel is writable.
 *
 * <p>Until the closed channels have released what they hold, writes are refused as if above a channel's
 * {@link ChannelOption#WRITE_BUFFER_LIMIT}. The less a write adds to the problem, the later it is refused:
 *
 * <table>
 * <caption>Refused writes</caption>
 * <tr><th>above the ceiling by</th><th>refused</th></tr>
 * <tr><td>2 percent</td><td>writes to a channel that would then hold more than its share, which is the ceiling divided by the number of
 * channels with backlogs; unless nothing else waits there</td></tr>
 * <tr><td>4 percent</td><td>also those, and messages of more than 16 KiB</td></tr>
 * <tr><td>10 percent</td><td>all but a few KiB per channel</td></tr>
 * </table>
 *
 * <p>Up to the last step, messages of up to 16 KiB are accepted on channels with less than 64 KiB, or less than their high water mark if
 * that is lower. So an application that writes only while {@link Channel#isWritable()} keeps its connections while others fill the memory.
 *
 * <p>A buffer that waits on several channels counts for each of them, although it takes memory once. If you send one large buffer to many
 * slow peers, set a higher ceiling.
 *
 * <p>The total is updated where messages are charged, in steps of 4 KiB per channel, so a channel whose peer keeps up costs nothing here.
 *
 * <p>The heap can be full below the ceiling, or without one. If an {@link OutOfMemoryError} reaches Freshet, for example from a handler or a
 * write, and the heap has no room for 2 MiB, the ceiling drops to just below what waits now, whatever it was set to. It never drops below an
 * eighth of the heap: an application that fills the heap by itself keeps connections with less. Once there is room for 2 MiB, the ceiling
 * is back where it was set.
 *
 * <p>The ceiling is half of the maximum heap size, or the value of {@code -Dorg.freshet.writeBudget} in bytes. It is the last resort: limit
 * each channel with {@link ChannelOption#WRITE_BUFFER_LIMIT}. Any thread may call any method.
 */
public final class MemoryBudget {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryBudget.class);

    /** A channel's backlog is counted in steps of this many bytes, a power of two. */
    private static final int STEP_SHIFT = 12;

    private static final int UNITS_TO_STEPS = STEP_SHIFT - AccountedChannel.UNIT_SHIFT;

    /** At this many percent above the ceiling, writes beyond a channel's share are refused. */
    private static final int TO_SHARES = 2;

    /** At this many percent, large messages are refused, too. */
    private static final int TO_LARGE = 4;

    /** At this many percent, all writes are refused. */
    private static final int TO_ALL = 10;

    /** A channel with a backlog of this many units is always known, whatever the total is. */
    private static final long MUCH = AccountedChannel.unitsOf(64 * 1024);

    /**
     * The size of a small message, in units. It is also the most by which the last message written to a writable channel exceeds the mark.
     */
    private static final long SMALL_MESSAGE = AccountedChannel.unitsOf(16 * 1024 + WriteAccount.MESSAGE_BYTES);

    /** A full heap puts the ceiling this fraction below what waits, so that writes are refused as above {@link #TO_LARGE}. */
    private static final int FULL_HEAP_PART = 16;

    /** The interval between two checks of the total. */
    private static final long LOOK_MILLIS = 1;

    private static final AtomicLong STEPS = new AtomicLong();
    private static final AtomicBoolean IS_CLOSING = new AtomicBoolean();
    private static final Runnable LOOK = MemoryBudget::onLook; // linked here: the first use takes memory
    private static final SafetyTimer.Pending LOOK_AGAIN = SafetyTimer.spare(LOOK);
    private static final LongSupplier QUEUED_BYTES = MemoryBudget::getQueuedBytes;
    private static final LongAdder CLOSED = new LongAdder();

    /** What may wait even in a full heap, which something else must fill then. */
    private static final long HARMLESS_BYTES = Runtime.getRuntime().maxMemory() / 8;

    /** Above this total, every channel whose backlog grows is known: half of what a full heap leaves. */
    private static final long KNOWN_BYTES = HARMLESS_BYTES / 2;

    /** What was set. */
    private static volatile long limitBytes =
            Long.getLong("org.freshet.writeBudget", Runtime.getRuntime().maxMemory() / 2);

    /** While the heap is full, what may wait then; otherwise 0. */
    private static volatile long fullHeapBytes;

    static {
        HeapReserve.whenFull(MemoryBudget::onHeapFull);
    }

    private MemoryBudget() {}

    /** Returns the ceiling as it was set, in bytes; 0 means no limit. A full heap doesn't change it. */
    public static long getLimit() {
        return limitBytes;
    }

    /**
     * Sets the ceiling. Without one, channels are closed only once the heap is full. Preferably call this before channels have backlogs: after
     * the ceiling was lowered, a channel with less than 64 KiB whose backlog has not changed since is not considered for closing.
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

    /** Returns the bytes waiting to be sent on all channels. Each channel counts in whole steps of 4 KiB, rounded down. */
    public static long getQueuedBytes() {
        return STEPS.get() << STEP_SHIFT;
    }

    /** Returns the bytes waiting to be sent on one channel; the same as {@link WriteAccount#waitingBytes}. */
    public static long getQueuedBytes(Channel channel) {
        return WriteAccount.waitingBytes(channel);
    }

    /** Returns the number of channels that are currently not writable. */
    public static int getCongestedChannels() {
        return CongestedChannels.now().size();
    }

    /**
     * Returns how many channels have been closed because of the ceiling: those with the largest backlogs, and those that wrote beyond their
     * share.
     */
    public static long getClosed() {
        return CLOSED.sum();
    }

    /** Initializes this class, so that a full heap is noticed even before anything was written. */
    static void prepare() {}

    // ---- for accounts -----------------------------------------------------------------------------------------------

    /** Called when the sum of a channel that is not part of another has changed. Never throws. */
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
                || sum > KNOWN_BYTES
                || limit > 0 && sum > limit / 2) { // so the unknown channels together have less than half the ceiling
            Holders.update(account);
        }
        if (limit > 0 && sum > limit) {
            closeLater();
        }
    }

    /** Whether a channel with this sum takes part in the budget. */
    static boolean isCounted(long units) {
        return units >> UNITS_TO_STEPS != 0;
    }

    private static boolean isExceeded() {
        long limit = ceilingBytes();
        return limit > 0 && getQueuedBytes() > limit;
    }

    /** What is enforced now, in bytes; 0 means no limit. */
    static long ceilingBytes() {
        long whenFull = fullHeapBytes;
        long limit = limitBytes;
        return whenFull == 0 || limit > 0 && limit < whenFull ? limit : whenFull;
    }

    /** Puts the ceiling somewhat below what waits now. Allocates next to nothing. */
    private static void onHeapFull() {
        long queued = getQueuedBytes();
        long enough = Math.max(queued - queued / FULL_HEAP_PART, HARMLESS_BYTES);
        if (fullHeapBytes == 0 || enough < fullHeapBytes) {
            fullHeapBytes = enough;
        }
        closeLater(); // after the change: a look that begins later is what ends it
    }

    /** Whether {@link #hasRoom} may return false for some channel. */
    static boolean isExhausted() {
        return isAbove(ceilingBytes(), TO_SHARES);
    }

    private static boolean isAbove(long limit, int percent) {
        return limit > 0 && getQueuedBytes() > limit + limit / 100 * percent;
    }

    /**
     * Whether a message may wait.
     *
     * @param before the channel's backlog, in units
     * @param units the size of the message
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

    /** Called before a channel closes because a write exceeded its share. */
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
        } else {
            SafetyTimer.ensureSharedRetries(); // there may have been no thread for the look that is due
        }
    }

    /** Runs on a thread that may block, because closing a channel may run listeners that do. */
    private static void onLook() {
        IS_CLOSING.set(false); // first: charges made in the meantime may need another look, and so may a failed look
        try {
            if (fullHeapBytes != 0 && HeapReserve.retakeUnlessFull()) { // what failed since was one large array
                fullHeapBytes = 0;
            }
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
        Backlogs backlogs = snapshot();
        CLOSED.add(
                backlogs == null
                        ? Backlogs.closeOneByOne(Holders.all(), QUEUED_BYTES, limit)
                        : backlogs.closeGreatest(limit, logger));
    }

    /** Returns null if there is no memory for it. */
    private static Backlogs snapshot() {
        try {
            return Backlogs.of(Holders.now(), QUEUED_BYTES);
        } catch (OutOfMemoryError tooMany) {
            return null;
        }
    }
}
