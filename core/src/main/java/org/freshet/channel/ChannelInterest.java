package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.time.SafetyTimer;

/**
 * Whether a channel is to be read and whether it is writable: the interest ops, the reasons for being unwritable, and how much of it
 * handlers have been notified of. {@link AccountedChannel} knows when the account is above its marks; the other reasons are the user's.
 *
 * <p>Any thread may call any method, except {@link #settleWritability}, which fires the events and is for the I/O thread only.
 */
abstract class ChannelInterest implements Channel {
    /** Whether the sum has risen above the high water mark and not yet fallen to the low one. */
    enum Congestion {
        /** No, or not noticed yet. */
        NONE,
        /** A thread is setting or clearing the account's bit in {@link #unwritableReasons}. */
        CHANGING,
        /** It made the channel unwritable; handlers have yet to be notified. */
        UNANNOUNCED,
        /** Handlers were notified, or the channel was already unwritable for another reason. */
        ANNOUNCED;

        static final Congestion[] VALUES = values();
    }

    /** The position of the congestion in {@link #interest}, above the interest ops. */
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
        CongestedChannels.isEmpty(); // a close that is out of memory or descriptors may be unable to load the class
    }

    /** One bit per reason for being unwritable: bit 0 is the account's, 1 to 31 are the user's. */
    private volatile int unwritableReasons;

    /** The interest ops and the {@link Congestion}, in one field because every connection has it. */
    private volatile int interest = OP_READ;

    /** Whether channelClosed has been fired or is about to be; no event follows it. */
    abstract boolean hasEnded();

    /** Whether handlers hold messages for this channel. */
    abstract boolean isHeldByHandlers();

    /** Whether the amount that counts for the water marks is above the high one. */
    abstract boolean isAboveHighMark();

    /** Whether the amount that counts for the water marks is above the low one. */
    abstract boolean isAboveLowMark();

    // ---- what handlers know about the account -----------------------------------------------------------------------

    final Congestion congestion() {
        return Congestion.VALUES[interest >> CONGESTION_SHIFT];
    }

    /** Returns false and changes nothing if the current congestion isn't {@code from}. */
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

    /** Whether a user, or a handler with its own water marks, has made the channel unwritable. */
    final boolean isUnwritableByUsers() {
        return (unwritableReasons & ~ACCOUNT) != 0;
    }

    // ---- writability ------------------------------------------------------------------------------------------------

    /** Also false while the account's bit is changing: the excess of a write made then would be noted only after the change. */
    @Override
    public boolean isWritable() {
        return unwritableReasons == 0 && congestion() != Congestion.CHANGING;
    }

    @Override
    public final boolean getUserDefinedWritability(int index) {
        return (unwritableReasons & userReason(index)) == 0;
    }

    /** If there is no memory to announce the change, the change is undone. */
    @Override
    public final void setUserDefinedWritability(int index, boolean writable) {
        int reason = userReason(index);
        boolean isGiven = !getUserDefinedWritability(index);
        boolean wasHeldUp = isUnwritableByUsers();
        boolean changed = writable ? clearReason(reason) : giveReason(reason);
        try {
            // notify a handler that may feed again, even if what it holds itself keeps the channel unwritable
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
     * Undoes {@link #setUnwritable()}. For a transport that doesn't use the account; such a transport also notifies the pipeline itself.
     *
     * @return whether that changed {@link #isWritable()}
     */
    protected boolean setWritable() {
        return withdrawReason(ACCOUNT);
    }

    /**
     * Makes {@link #isWritable()} return false. For a transport that doesn't use the account; such a transport also notifies the pipeline
     * itself.
     *
     * @return whether that changed {@link #isWritable()}
     */
    protected boolean setUnwritable() {
        return giveReason(ACCOUNT);
    }

    /** Returns whether this is the first reason. If there is no memory to record it, it is withdrawn again. */
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
            if (hasEnded()) { // possibly before the channel was added
                onUncongested();
            }
        }
        return isFirst;
    }

    /** Returns whether this was the last reason. */
    private boolean withdrawReason(int reason) {
        boolean wasLast = clearReason(reason);
        if (wasLast) {
            onUncongested();
        }
        return wasLast;
    }

    /** Returns whether this was the last reason; {@link #leaveCongested} follows then. Allocates nothing. */
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
                && !hasEnded()) { // a thread that gave another reason may have added the channel before the remove
            CongestedChannels.add(this);
            if (unwritableReasons != 0 && !hasEnded()) {
                return;
            }
            CongestedChannels.remove(this); // the reason was withdrawn, or the channel closed, before the add
        }
    }

    // ---- congestion and its end -------------------------------------------------------------------------------------

    /** Returns whether there is a change to announce. If memory is exhausted, the next charge notes the congestion. */
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
     * Settles writability later, for a handler that has charged a message but not queued it yet. If the handler were notified within its
     * own call, its response would overtake that message.
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

    /** Settles a change made by a handler, which the transport doesn't know about. If memory is exhausted, it is retried after a second. */
    final void settleIfDue() {
        if (isSettlingDue()) {
            try {
                getPipeline().execute(this::settleWritability);
            } catch (VirtualMachineError e) {
                SETTLE_AGAIN.retry();
            }
        }
    }

    /** The channels to settle are all among the congested ones, so there is no need to remember them. */
    private static void settleAgain() {
        for (Object channel : CongestedChannels.now()) {
            ((ChannelInterest) channel).settleIfDue();
        }
    }

    /** Whether {@link #settleWritability} would have an effect. */
    final boolean isSettlingDue() {
        Congestion now = congestion();
        return now == Congestion.UNANNOUNCED || isReliefDue();
    }

    /**
     * Notifies handlers of congestion and of its end, once each and in this order, if {@link #isWritable()} changed. If memory is
     * exhausted, it is retried after a second. I/O thread only.
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
        enter(Congestion.CHANGING, Congestion.NONE); // only now: the bit of a thread that notes its excess must stay
        try {
            if (changed) {
                CongestedChannels.wake(this);
                Flight.unwritableEnded(this);
            }
            noteCongestion(); // a writer that saw the old state has not noted its excess
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

    /** Fires {@code channelInterestChanged}. A transport that orders its first events overrides this. I/O thread only. */
    protected void fireWritabilityChanged() {
        Channels.fireChannelInterestChanged(this);
    }

    // ---- interest ---------------------------------------------------------------------------------------------------

    /** Returns the value last passed to {@link #setInternalInterestOps}; {@link #OP_READ} initially. */
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
