package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.CongestedChannels;
import org.freshet.internal.flight.Flight;

/**
 * Whether a channel is to be read and whether it is writable: the interest ops, the reasons against writing, and what handlers have been told
 * of the account's. The account's reason is {@link AccountedChannel}'s to give, the others are the user's.
 *
 * <p>Any thread may call any method.
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
    static final int ACCOUNT = 1;

    private static final VarHandle UNWRITABLE_REASONS;
    private static final VarHandle INTEREST;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            UNWRITABLE_REASONS = lookup.findVarHandle(ChannelInterest.class, "unwritableReasons", int.class);
            INTEREST = lookup.findVarHandle(ChannelInterest.class, "interest", int.class);
            CongestedChannels.isEmpty(); // a close without memory or descriptors may be unable to load the class
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** One bit for each reason why writing is not wanted: bit 0 is the account's, 1 to 31 are the user's. */
    private volatile int unwritableReasons;

    /** The interest ops and the {@link Congestion}: one field, because every connection has it. */
    private volatile int interest = OP_READ;

    /** Whether channelClosed has been fired or is about to be: nothing follows it. */
    abstract boolean hasEnded();

    /** Whether handlers hold messages for this channel. */
    abstract boolean isHeldByHandlers();

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

    @Override
    public final void setUserDefinedWritability(int index, boolean writable) {
        int reason = userReason(index);
        boolean wasHeldUp = isUnwritableByUsers();
        boolean changed = writable ? withdrawReason(reason) : giveReason(reason);
        // a handler that may go on feeding hears of it although what it holds itself keeps the channel unwritable
        if (changed || wasHeldUp && isHeldByHandlers() && !isUnwritableByUsers()) {
            getPipeline().execute(this::announceInterest);
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

    /** Returns whether it was the first. */
    final boolean giveReason(int reason) {
        boolean isFirst = (int) UNWRITABLE_REASONS.getAndBitwiseOr(this, reason) == 0;
        if (isFirst) {
            CongestedChannels.add(this);
            Flight.unwritable(this);
            if (hasEnded()) { // which may have come before it was added
                onUncongested();
            }
        }
        return isFirst;
    }

    /** Returns whether it was the last. */
    final boolean withdrawReason(int reason) {
        boolean wasLast = (int) UNWRITABLE_REASONS.getAndBitwiseAnd(this, ~reason) == reason;
        if (wasLast) {
            onUncongested();
        }
        return wasLast;
    }

    final void onUncongested() {
        CongestedChannels.remove(this);
        Flight.unwritableEnded(this);
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
