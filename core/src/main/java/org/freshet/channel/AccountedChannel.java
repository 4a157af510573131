package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.flight.Flight;

/**
 * The write account of a channel: how much waits to be sent, in handlers and in the transport, and therefore whether the channel is
 * writable and whether a write has room. Users reach it through {@link WriteAccount}, transports through the protected methods of
 * {@link AbstractChannel}.
 *
 * <pre>
 *   a write ---- admitted or refused here ----&gt; held by a handler ---- handed over ----&gt; queued by the transport ----&gt; released
 * </pre>
 *
 * <p>Both sums are in one word, so a hand-over is a single step: a message is never counted twice, and never uncounted in between. The sums
 * are in units of 32 bytes.
 *
 * <p>Threading: any thread may charge and release.
 */
abstract class AccountedChannel extends ChannelInterest {
    static final int UNIT_SHIFT = 5;

    private static final int HELD_SHIFT = 32;
    private static final long QUEUED_MASK = (1L << HELD_SHIFT) - 1;
    private static final long HELD_MASK = Integer.MAX_VALUE;

    /** Set in the balance of a closed channel. */
    private static final long SETTLED = Long.MIN_VALUE;

    /** How long a blocked thread waits before it checks again by itself: there may be room before the channel is writable again. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final VarHandle BALANCE;

    static {
        try {
            BALANCE = MethodHandles.lookup().findVarHandle(AccountedChannel.class, "balance", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The {@link #SETTLED} bit, 31 bits of units held by handlers, and 32 bits of units queued by the transport. */
    private volatile long balance;

    // ---- the backlog ------------------------------------------------------------------------------------------------

    static long unitsOf(long bytes) {
        return (bytes + (1 << UNIT_SHIFT) - 1) >> UNIT_SHIFT;
    }

    private static long held(long balance) {
        return balance >>> HELD_SHIFT & HELD_MASK;
    }

    private static long queued(long balance) {
        return balance & QUEUED_MASK;
    }

    private static long total(long balance) {
        return held(balance) + queued(balance);
    }

    @Override
    final boolean isHeldByHandlers() {
        return held(balance) != 0;
    }

    /** Whether the backlog is large enough for the {@link MemoryBudget} to count it. */
    final boolean hasBacklog() {
        long now = balance;
        return now >= 0 && MemoryBudget.isCounted(total(now));
    }

    final long waitingBytes() {
        return total(balance) << UNIT_SHIFT;
    }

    /** The bytes queued by the transport. */
    final long queuedWriteBytes() {
        return queued(balance) << UNIT_SHIFT;
    }

    /**
     * Changes both sums in one step and returns the previous balance. The {@linkplain #whole() whole} grows before its part and shrinks
     * after it. Otherwise, if another thread closed the part in between, it would take back units that the whole has not counted yet.
     */
    private long move(long heldUnits, long queuedUnits) {
        long growth = heldUnits + queuedUnits;
        AccountedChannel whole = whole();
        moveWhole(whole, Math.max(growth, 0));
        long change = (heldUnits << HELD_SHIFT) + queuedUnits;
        long before = (long) BALANCE.getAndAdd(this, change);
        if (before < 0) { // settled: nothing counts any more
            moveWhole(whole, Math.min(-growth, 0));
        } else {
            moveWhole(whole, Math.min(growth, 0));
            onMoved(whole, before, before + change);
        }
        return before;
    }

    private static void moveWhole(AccountedChannel whole, long growth) {
        if (whole != null && growth != 0) {
            whole.move(growth, 0);
        }
    }

    private void onMoved(AccountedChannel whole, long before, long after) {
        if (whole == null) {
            MemoryBudget.onMoved(this, total(before), total(after));
        }
        if (after == 0) {
            EmptiedAccounts.onEmptied(this);
        }
    }

    /** Called when the channel is closed. From now on, releases by handlers have no effect on the account. */
    final void closeAccount() {
        long before = (long) BALANCE.getAndBitwiseOr(this, SETTLED);
        if (before >= 0) {
            AccountedChannel whole = whole();
            moveWhole(whole, -total(before));
            if (whole == null) {
                MemoryBudget.onMoved(this, total(before), 0);
            }
        }
    }

    // ---- accounts that are parts of others --------------------------------------------------------------------------

    /**
     * Returns the channel that sends this channel's data, such as the connection of a stream. Its account includes this one, as held units.
     * Null if this channel sends its own data.
     */
    AccountedChannel whole() {
        return null;
    }

    // ---- charging ---------------------------------------------------------------------------------------------------

    /**
     * Charges a message that the transport is about to queue. Returns null if it was charged, otherwise the cause to fail it with.
     *
     * @param isLimited false for a transport whose writers wait: the channel's limit doesn't apply then, but the budget does
     */
    final Exception admitQueued(long units, boolean isLimited) {
        return admit(0, units, isLimited);
    }

    /** Charges a message that a handler is about to hold; see {@link #admitQueued} for the result. */
    final Exception admitHeld(long units) {
        return admit(units, 0, true);
    }

    /** Charges a message that must be sent or can no longer be refused. */
    final void chargeHeld(long units) {
        move(units - takeHandover(), 0);
        afterAdmission(units, 0);
    }

    /** Takes what the current thread is handing over, in units. */
    private long takeHandover() {
        Handover handover = held(balance) == 0 ? null : Handover.of(this);
        return handover == null ? 0 : handover.take();
    }

    final void releaseHeld(long units) {
        if (units != 0) {
            move(-units, 0);
            settleIfDue();
        }
    }

    /** Does not settle writability: the calling I/O thread does that later. */
    final void releaseQueued(long units) {
        move(0, -units);
    }

    private Exception admit(long heldUnits, long queuedUnits, boolean isLimited) {
        long units = heldUnits + queuedUnits;
        boolean isExhausted = MemoryBudget.isExhausted();
        if (isExhausted && Handover.of(this) == null) {
            long waiting = total(balance);
            if (!hasRoom(waiting, units, 0, isLimited)) {
                return refuse(
                        waiting, heldUnits, queuedUnits, isLimited); // without a charge: it would exceed the budget
            }
        }
        Handover handover = held(balance) == 0 ? null : Handover.of(this);
        long taken = handover == null ? 0 : handover.take();
        long before = move(heldUnits - taken, queuedUnits);
        if (total(before) - taken + units <= decisionUnits() && whole() == null && !isExhausted) {
            return null;
        }
        boolean mayBeRefused = Handover.of(this) == null;
        return mayBeRefused && !hasRoom(total(before), units, units, isLimited)
                ? refuseOrWait(total(before) - taken, heldUnits, queuedUnits, isLimited)
                : afterAdmission(heldUnits, queuedUnits);
    }

    private Exception refuseOrWait(long waiting, long heldUnits, long queuedUnits, boolean isLimited) {
        move(-heldUnits, -queuedUnits);
        return refuse(waiting, heldUnits, queuedUnits, isLimited);
    }

    /**
     * Returns null if the caller has waited until the message could be charged.
     *
     * @param waiting the units of this account for which there was no room
     */
    private Exception refuse(long waiting, long heldUnits, long queuedUnits, boolean isLimited) {
        AccountedChannel whole = whole();
        long waitingBytes = whole == null ? waiting << UNIT_SHIFT : whole.waitingBytes();
        long newBytes = heldUnits + queuedUnits << UNIT_SHIFT;
        Exception refusal = sender().refuse(waitingBytes, newBytes, () -> tryCharge(heldUnits, queuedUnits, isLimited));
        return refusal == null ? afterAdmission(heldUnits, queuedUnits) : refusal;
    }

    /** Returns null. If this throws because memory is exhausted, the write fails, so the charge is undone. */
    private Exception afterAdmission(long heldUnits, long queuedUnits) {
        try {
            boolean isNew = noteCongestion();
            if (heldUnits != 0 && (isNew || isReliefDue())) {
                settleSoon();
            }
            return null;
        } catch (Throwable t) {
            move(-heldUnits, -queuedUnits);
            throw t;
        }
    }

    /**
     * Whether a message fits next to what already waits. A message that is alone always fits the channel's limit, whatever its size.
     *
     * @param charged how many of the message's units the account of the {@linkplain #whole() whole} already includes
     */
    private boolean hasRoom(long before, long units, long charged, boolean isLimited) {
        AccountedChannel whole = whole();
        boolean fitsAbove = whole == null
                ? MemoryBudget.hasRoom(before, units, highUnits())
                : whole.hasRoom(total(whole.balance) - charged, units, charged, isLimited);
        if (!fitsAbove || before == 0 || !isLimited) {
            return fitsAbove;
        }
        int limit = limit();
        return limit == 0 || before + units <= limit >> UNIT_SHIFT;
    }

    final boolean hasRoomFor(long units) {
        return hasRoom(total(balance), units, 0, true);
    }

    private boolean tryCharge(long heldUnits, long queuedUnits, boolean isLimited) {
        long units = heldUnits + queuedUnits;
        long change = (heldUnits << HELD_SHIFT) + queuedUnits;
        AccountedChannel whole = whole();
        long before = balance;
        while (hasRoom(total(before), units, 0, isLimited)) {
            if (before < 0) { // settled
                move(heldUnits, queuedUnits);
                return true;
            }
            moveWhole(whole, units);
            if (BALANCE.compareAndSet(this, before, before + change)) {
                onMoved(whole, before, before + change);
                return true;
            }
            moveWhole(whole, -units);
            before = balance;
        }
        return false;
    }

    /** Null if the channel has neither water marks nor a limit. */
    private WriteMarks marks() {
        return this instanceof WriteMarks marks ? marks : null;
    }

    private long highUnits() {
        WriteMarks marks = marks();
        return marks == null ? Long.MAX_VALUE : unitsOf(marks.highWaterMark());
    }

    /** Up to this sum, neither a mark nor the limit is exceeded. */
    private long decisionUnits() {
        WriteMarks marks = marks();
        if (marks == null) {
            return Long.MAX_VALUE;
        }
        int limit = marks.limitBytes();
        return unitsOf(limit == 0 ? marks.highWaterMark() : Math.min(limit, marks.highWaterMark()));
    }

    private int limit() {
        WriteMarks marks = marks();
        return marks == null ? 0 : marks.limitBytes();
    }

    // ---- a write that does not fit ----------------------------------------------------------------------------------

    /** The channel whose limit and policy apply. */
    private AccountedChannel sender() {
        AccountedChannel whole = whole();
        return whole == null ? this : whole;
    }

    /**
     * Returns null if the write could be charged after all.
     *
     * @param waitingBytes what waited when there was no room; some of it may have been sent since
     */
    private Exception refuse(long waitingBytes, long newBytes, BooleanSupplier tryAgain) {
        Object recorded = isOpen() ? Flight.overflowBegan() : null;
        WriteOverflow policy = writeOverflow();
        try {
            return refuse(policy, waitingBytes, newBytes, tryAgain);
        } finally {
            if (recorded != null) {
                Flight.overflowEnded(recorded, this, policy, waitingBytes, limit());
            }
        }
    }

    private Exception refuse(WriteOverflow policy, long waitingBytes, long newBytes, BooleanSupplier tryAgain) {
        if (policy == WriteOverflow.FAIL && isOpen()) {
            return new WriteOverflowException(
                    "the write is refused: " + explanation(waitingBytes, newBytes), waitingBytes, limit());
        }
        if (policy == WriteOverflow.BLOCK && callerMayBlock() && awaitRoom(tryAgain)) {
            return null;
        }
        if (isOpen()) {
            if (!isOwnLimit(waitingBytes, newBytes)) {
                MemoryBudget.onShareExceeded(); // before the close, so that a listener finds it counted
            }
            giveUp(CloseReason.of(CloseReason.Kind.OVERFLOW, explanation(waitingBytes, newBytes)));
        }
        return ChannelClosedException.of(this);
    }

    private WriteOverflow writeOverflow() {
        WriteOverflow policy = getConfig().getOption(ChannelOption.WRITE_OVERFLOW);
        return policy == null ? WriteOverflow.CLOSE : policy;
    }

    private boolean callerMayBlock() {
        WriteMarks marks = marks();
        return marks != null && marks.mayBlock();
    }

    /** Whether the channel's own limit refused the write, not the budget. */
    private boolean isOwnLimit(long waitingBytes, long newBytes) {
        int limit = limit();
        return limit > 0 && (waitingBytes + newBytes > limit || !MemoryBudget.isExhausted());
    }

    private String explanation(long waitingBytes, long newBytes) {
        String exceeded = isOwnLimit(waitingBytes, newBytes)
                ? "writeBufferLimit (" + limit() + ")"
                : "the channel's share of the MemoryBudget (" + MemoryBudget.ceilingBytes() + " for all channels)";
        return waitingBytes + " bytes wait to be sent and " + newBytes + " more would exceed " + exceeded
                + ": the peer reads too slowly; write only while isWritable(), or set a higher limit";
    }

    /** Returns false if the channel has closed instead. If the thread is interrupted, its interrupt flag is set on return. */
    private boolean awaitRoom(BooleanSupplier tryAgain) {
        boolean isInterrupted = false;
        boolean hasRoom = false;
        while (!hasRoom && isOpen()) {
            hasRoom = CongestedChannels.park(this, LOOK_NANOS, tryAgain);
            isInterrupted |= Thread.interrupted();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return hasRoom;
    }

    /** Closes the channel because too much waits to be sent. */
    abstract void giveUp(CloseReason reason);

    // ---- water marks ------------------------------------------------------------------------------------------------

    @Override
    final boolean isAboveHighMark() {
        WriteMarks marks = marks();
        return marks != null && (isHeldUp() || isAbove(unitsOf(marks.highWaterMark())));
    }

    @Override
    final boolean isAboveLowMark() {
        WriteMarks marks = marks();
        return marks != null && (isHeldUp() || isAbove(marks.lowWaterMark() >> UNIT_SHIFT));
    }

    /** Whether the sending channel is not writable: a write here would only wait for it. */
    private boolean isHeldUp() {
        AccountedChannel whole = whole();
        return whole != null && !whole.isWritable();
    }

    /** Updates writability after that of the {@linkplain #whole() whole} has changed. I/O thread only. */
    final void settleWithWhole() {
        noteCongestion();
        settleWritability();
        if (isHeldByHandlers() && !isWritable() && !isHeldUp()) {
            fireWritabilityChanged(); // a feeder may go on, even if what it holds keeps the channel unwritable
        }
    }

    /**
     * Whether the amount that counts for the water marks is above one of them. That is the transport's queue plus what is held by handlers
     * without their own marks. The handlers are asked only if it makes a difference.
     */
    private boolean isAbove(long units) {
        long now = balance;
        return total(now) > units && (queued(now) > units || queued(now) + unitsOf(heldBelow(null)) > units);
    }

    /**
     * Returns the bytes held by the handlers below a context, or by all handlers for null, except those with their own marks. The account
     * keeps a single sum for all handlers: a sum per handler would cost every connection memory, and each handler knows its own anyway in
     * order to release it.
     */
    private long heldBelow(ChannelHandlerContext ctx) {
        return getPipeline() instanceof DefaultChannelPipeline pipeline ? pipeline.heldBelow(ctx) : 0;
    }

    /** See {@link WriteAccount#hasRoomBelow}. */
    final boolean hasRoomBelow(ChannelHandlerContext ctx) {
        if (marks() == null) {
            return isWritable();
        }
        long now = balance;
        long high = highUnits();
        return !isHeldUp() && queued(now) <= high && (held(now) == 0 || queued(now) + unitsOf(heldBelow(ctx)) <= high);
    }
}
