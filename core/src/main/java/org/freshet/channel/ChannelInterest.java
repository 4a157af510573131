package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.time.SafetyTimer;

/**
 * Whether a channel is to be read and whether it is writable: the interest ops, the reasons against writing, and what handlers have been told
 * of the account's. {@link AccountedChannel} says when the account is above its marks; the other reasons are the user's.
 *
 * <p>Any thread may call any method, except {@link #settleWritability}, which belongs to the I/O thread and is what fires events.
 */
abstract class ChannelInterest implements Channel {
    /** Whether the sum went above the high water mark, and not yet down to the low one again. */
    enum Congestion {
        /** No, or not yet noticed. */
        NONE,
        /** Some thread sets or clears the account's bit in {@link #unwritableReasons}. */
        CHANGING,
        /** It made the channel unwritable; handlers are to be notified. */
        UNANNOUNCED,
        /** Handlers were notified, or the channel was unwritable for another reason before. */
        ANNOUNCED;

        static final Congestion[] VALUES = values();
    }

    /** Where the congestion is in {@link #interest}; the interest ops are below it. */
    private static final int CONGESTION_SHIFT = 8;

    private static final int OPS_MASK = (1 << CONGESTION_SHIFT) - 1;

    /** The account's bit in {@link #unwritableReasons}. */
    private static final int ACCOUNT = 1;

    private static final SafetyTimer.Pending SETTLE_AGAIN = SafetyTimer.spare(ChannelInterest::settleAgain);

    private static final VarHandle UNWRITABLE_REASONS;
    private static final VarHandle INTEREST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            UNWRITABLE_REASONS = lookup.findVarHandle(ChannelInterest.class, "unwritableReasons", int.class);
            INTEREST = lookup.findVarHandle(ChannelInterest.class, "interest", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static {
        CongestedChannels.isEmpty(); // a close without memory or descriptors may be unable to load the class
    }

    /** One bit for each reason why writing is not wanted: bit 0 is the account's, 1 to 31 are the user's. */
    private volatile int unwritableReasons;

    /** The interest ops and the {@link Congestion}: one field, because every connection has it. */
    private volatile int interest = OP_READ;

    /** Whether channelClosed has been fired or is about to be: nothing follows it. */
    abstract boolean hasEnded();

    /** Whether handlers hold messages for this channel. */
    abstract boolean isHeldByHandlers();

    /** Whether what counts for the water marks is above the high one. */
    abstract boolean isAboveHighMark();

    /** Whether it is above the low one. */
    abstract boolean isAboveLowMark();

    // ---- what handlers know of the account --------------------------------------------------------------------------

    final Congestion congestion() {
        return Congestion.VALUES[interest >> CONGESTION_SHIFT];
    }

    /** Returns false, and changes nothing, unless the congestion is the expected one. */
    final boolean enter(Congestion from, Congestion to) {
        int seen = interest;
        while (seen >> CONGESTION_SHIFT == from.ordinal()) {
            if (INTEREST.compareAndSet(this, seen, seen & OPS_MASK | to.ordinal() << CONGESTION_SHIFT)) {
                return true;
            }
            seen = interest;
        }
        return false;
    }

    /** Whether a user, or a handler with water marks of its own, has declared the channel not writable. */
    final boolean isUnwritableByUsers() {
        return (unwritableReasons & ~ACCOUNT) != 0;
    }

    // ---- writability ------------------------------------------------------------------------------------------------

    /** False also during a change of the account's bit: what is written meanwhile would be marked only after it. */
    @Override
    public boolean isWritable() {
        return unwritableReasons == 0 && congestion() != Congestion.CHANGING;
    }

    @Override
    public final boolean getUserDefinedWritability(int index) {
        return (unwritableReasons & userReason(index)) == 0;
    }

    /** If there is no memory to announce the change, nothing has changed. */
    @Override
    public final void setUserDefinedWritability(int index, boolean writable) {
        int reason = userReason(index);
        boolean isGiven = !getUserDefinedWritability(index);
        boolean wasHeldUp = isUnwritableByUsers();
        boolean changed = writable ? clearReason(reason) : giveReason(reason);
        try {
            // a handler that may go on feeding hears of it although what it holds itself keeps the channel unwritable
            if (changed || wasHeldUp && isHeldByHandlers() && !isUnwritableByUsers()) {
                getPipeline().execute(this::announceInterest);
            }
        } catch (VirtualMachineError e) {
            if (isGiven) {
                UNWRITABLE_REASONS.getAndBitwiseOr(this, reason);
            } else {
                withdrawReason(reason);
            }
            throw e;
        }
        if (changed && writable) {
            onUncongested();
        }
    }

    private void announceInterest() {
        if (!hasEnded()) {
            Channels.fireChannelInterestChanged(this);
        }
    }

    private static int userReason(int index) {
        if (index < 1 || index > 31) {
            throw new IllegalArgumentException("index not in 1..31: " + index);
        }
        return 1 << index;
    }

    /**
     * Reverts {@link #setUnwritable()}. For a transport that keeps no account, which also notifies the pipeline.
     *
     * @return whether that changed {@link #isWritable()}
     */
    protected boolean setWritable() {
        return withdrawReason(ACCOUNT);
    }

    /**
     * Has {@link #isWritable()} return false. For a transport that keeps no account, which also notifies the pipeline.
     *
     * @return whether that changed {@link #isWritable()}
     */
    protected boolean setUnwritable() {
        return giveReason(ACCOUNT);
    }

    /** Returns whether it was the first. If there is no memory to take note of it, it isn't given. */
    private boolean giveReason(int reason) {
        boolean isFirst = (int) UNWRITABLE_REASONS.getAndBitwiseOr(this, reason) == 0;
        if (isFirst) {
            try {
                CongestedChannels.add(this);
                Flight.unwritable(this);
            } catch (Throwable t) {
                clearReason(reason);
                throw t;
            }
            if (hasEnded()) { // which may have come before it was added
                onUncongested();
            }
        }
        return isFirst;
    }

    /** Returns whether it was the last. */
    private boolean withdrawReason(int reason) {
        boolean wasLast = clearReason(reason);
        if (wasLast) {
            onUncongested();
        }
        return wasLast;
    }

    /** Returns whether it was the last; {@link #leaveCongested} follows then. Takes no memory. */
    private boolean clearReason(int reason) {
        return (int) UNWRITABLE_REASONS.getAndBitwiseAnd(this, ~reason) == reason;
    }

    final void onUncongested() {
        Flight.unwritableEnded(this);
        leaveCongested();
    }

    private void leaveCongested() {
        CongestedChannels.remove(this);
        while (unwritableReasons != 0
                && !hasEnded()) { // a thread that has given another reason may have added it before
            CongestedChannels.add(this);
            if (unwritableReasons != 0 && !hasEnded()) {
                return;
            }
            CongestedChannels.remove(this); // the reason was withdrawn, or the channel closed, before it was added
        }
    }

    // ---- congestion and its end
    // --------------------------------------------------------------------------------------

    /** Returns whether there is a change to be announced. Without memory, the next charge notes it. */
    final boolean noteCongestion() {
        if (isAboveHighMark() && congestion() == Congestion.NONE && enter(Congestion.NONE, Congestion.CHANGING)) {
            Congestion next = Congestion.NONE;
            try {
                next = giveReason(ACCOUNT) ? Congestion.UNANNOUNCED : Congestion.ANNOUNCED;
            } finally {
                enter(Congestion.CHANGING, next);
            }
            return next == Congestion.UNANNOUNCED;
        }
        return false;
    }

    /**
     * As {@link #settleIfDue}, when a handler has charged what it has yet to queue: were it told within its call, what it writes in return
     * would overtake that.
     */
    final void settleSoon() {
        if (!(this instanceof IoThreadBound bound)) {
            settleIfDue();
            return;
        }
        try {
            bound.runLater(this::settleWritability);
        } catch (VirtualMachineError e) {
            SETTLE_AGAIN.retry();
        }
    }

    final boolean isReliefDue() {
        return congestion() == Congestion.ANNOUNCED && !isAboveLowMark();
    }

    /** For a change that a handler has made, of which the transport does not know. Without memory it is tried again after a second. */
    final void settleIfDue() {
        if (isSettlingDue()) {
            try {
                getPipeline().execute(this::settleWritability);
            } catch (VirtualMachineError e) {
                SETTLE_AGAIN.retry();
            }
        }
    }

    /** All channels that are to be settled are among the congested ones, so that none has to be remembered. */
    private static void settleAgain() {
        for (Object channel : CongestedChannels.now()) {
            ((ChannelInterest) channel).settleIfDue();
        }
    }

    /** Whether {@link #settleWritability} would do something. */
    final boolean isSettlingDue() {
        Congestion now = congestion();
        return now == Congestion.UNANNOUNCED || isReliefDue();
    }

    /**
     * Notifies handlers of congestion and of its end, each time once and in this order, where it makes a difference. If there is no memory
     * for it, it is done after a second. I/O thread only.
     */
    final void settleWritability() {
        Congestion now = congestion();
        if (now == Congestion.NONE || now == Congestion.CHANGING || hasEnded()) {
            return;
        }
        try {
            if (now == Congestion.UNANNOUNCED) {
                onCongested();
            }
            if (!isAboveLowMark() && enter(Congestion.ANNOUNCED, Congestion.CHANGING)) {
                onRelieved();
            }
        } catch (VirtualMachineError e) {
            SETTLE_AGAIN.retry();
            throw e;
        }
    }

    private void onCongested() {
        if (enter(Congestion.UNANNOUNCED, Congestion.ANNOUNCED)) {
            try {
                fireWritabilityChanged();
            } catch (VirtualMachineError e) {
                enter(Congestion.ANNOUNCED, Congestion.UNANNOUNCED);
                throw e;
            }
        }
    }

    private void onRelieved() {
        boolean changed = clearReason(ACCOUNT);
        enter(Congestion.CHANGING, Congestion.NONE); // not before: the bit of a thread that marks its excess must stay
        try {
            if (changed) {
                CongestedChannels.wake(this);
                Flight.unwritableEnded(this);
            }
            noteCongestion(); // a writer that saw the old state has not marked its excess
            if (changed && !hasEnded()) {
                fireWritabilityChanged();
            }
        } catch (VirtualMachineError e) {
            if (changed && enter(Congestion.NONE, Congestion.CHANGING)) {
                UNWRITABLE_REASONS.getAndBitwiseOr(this, ACCOUNT);
                enter(Congestion.CHANGING, Congestion.ANNOUNCED);
            }
            throw e;
        }
        if (changed) {
            leaveCongested();
        }
        settleIfDue();
    }

    /** Fires {@code channelInterestChanged}. For a transport that orders its first events, to override. I/O thread only. */
    protected void fireWritabilityChanged() {
        Channels.fireChannelInterestChanged(this);
    }

    // ---- interest ---------------------------------------------------------------------------------------------------

    /** What {@link #setInternalInterestOps} was called with last; {@link #OP_READ} at first. */
    protected int getInternalInterestOps() {
        return interest & OPS_MASK;
    }

    /** Sets the interest without an event. For the transport. */
    protected void setInternalInterestOps(int interestOps) {
        int seen;
        do {
            seen = interest;
        } while (!INTEREST.compareAndSet(this, seen, seen & ~OPS_MASK | interestOps & OPS_MASK));
    }
}
