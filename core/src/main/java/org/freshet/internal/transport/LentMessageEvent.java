package org.freshet.internal.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.internal.lending.Borrowable;
import org.freshet.internal.lending.LentChannelBuffer;
import org.freshet.internal.lending.Loan;

/**
 * A received message that is lent to a borrowing handler, and copied for all others.
 *
 * <pre>
 *   NONE --&gt; UNDER_WAY --&gt; MADE
 *     |
 *     +--&gt; OMITTED (the event is over, and the message was borrowed)
 * </pre>
 *
 * <p>Threading: {@link #borrow} lends to the thread that created this. Any thread may call {@link #getMessage}; the first call makes the
 * copy. The creating thread calls {@link #settle} after the event, before the loan ends.
 */
public final class LentMessageEvent extends UpstreamMessageEvent implements Borrowable {
    private enum Copy {
        NONE,
        UNDER_WAY,
        MADE,
        OMITTED
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LentMessageEvent.class, "state", Copy.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Loan loan;
    private final LentChannelBuffer lent;
    private final Thread lender = Thread.currentThread();

    /** Used by the lending thread only. */
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
     * Returns the copy that all other handlers get.
     *
     * @throws IllegalStateException if the event is over and the message was borrowed
     */
    @Override
    public Object getMessage() {
        while (true) {
            switch (state) {
                case MADE -> {
                    return copy;
                }
                case OMITTED -> throw loan.ended();
                case UNDER_WAY -> Thread.onSpinWait(); // while another thread makes the copy
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

    /** Makes the copy if the message was not borrowed, because a handler may have kept the event; otherwise prevents any later copy. */
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
