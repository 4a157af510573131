package org.freshet.internal.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.FieldHandles;
import org.freshet.internal.lending.Borrowable;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.internal.lending.Loan;

/**
 * A received message that is lent to the one who borrows it, and copied for everybody else.
 *
 * <pre>
 *   NONE --&gt; UNDER_WAY --&gt; MADE
 *     |
 *     +--&gt; OMITTED (the event is over, and somebody borrowed)
 * </pre>
 *
 * <p>Threading: {@link #borrow} lends to the thread that made this; {@link #getMessage} may be called by any thread, and the first one
 * makes the copy; {@link #settle} is called by the thread that made this, after the event, before the loan ends.
 */
public final class LentMessageEvent extends UpstreamMessageEvent implements Borrowable {
    private enum Copy {
        NONE,
        UNDER_WAY,
        MADE,
        OMITTED
    }

    private static final VarHandle STATE = FieldHandles.of(MethodHandles.lookup(), "state", Copy.class);

    private final Loan loan;
    private final LentChannelBuffer lent;
    private final Thread lender = Thread.currentThread();

    /** The lending thread only. */
    private boolean borrowed;

    private volatile Copy state = Copy.NONE;

    /** Written before the state becomes MADE. */
    private ChannelBuffer copy;

    public LentMessageEvent(Channel channel, Loan loan) {
        this(channel, loan, new LentChannelBuffer(loan));
    }

    private LentMessageEvent(Channel channel, Loan loan, LentChannelBuffer lent) {
        super(channel, lent, null);
        this.loan = loan;
        this.lent = lent;
    }

    @Override
    public Object borrow() {
        if (Thread.currentThread() != lender || loan.hasEnded() || state != Copy.NONE) {
            return getMessage();
        }
        borrowed = true;
        return lent;
    }

    /**
     * The copy, which everybody gets.
     *
     * @throws IllegalStateException if the event is over, and it was borrowed
     */
    @Override
    public Object getMessage() {
        while (true) {
            switch (state) {
                case MADE -> {
                    return copy;
                }
                case OMITTED -> throw loan.ended();
                case UNDER_WAY -> Thread.onSpinWait(); // for the time of a copy
                case NONE -> {
                    if (STATE.compareAndSet(this, Copy.NONE, Copy.UNDER_WAY)) {
                        return makeCopy();
                    }
                }
            }
        }
    }

    private ChannelBuffer makeCopy() {
        boolean made = false;
        try {
            copy = loan.copy();
            made = true;
            return copy;
        } finally {
            state = made ? Copy.MADE : Copy.NONE;
        }
    }

    /** Makes the copy if nobody has borrowed, because somebody may have kept the event; else sees to it that none is made from now on. */
    public void settle() {
        if (!borrowed) {
            getMessage();
            return;
        }
        while (!STATE.compareAndSet(this, Copy.NONE, Copy.OMITTED)) {
            if (state == Copy.MADE) {
                return;
            }
            Thread.onSpinWait();
        }
    }
}
