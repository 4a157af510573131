package org.freshet.util;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * A time-out that is also a node in a ring: a circular doubly linked list whose head has no task. So a time-out costs
 * one object, and is unlinked from any ring in constant time.
 *
 * <p>Everything but {@code task} and {@code dueTick} is guarded by the lock of {@code share}; {@code outcome} may be
 * read without it.
 */
final class WheelTimeout implements Timeout {
    enum Outcome {
        EXPIRED,
        CANCELLED
    }

    private static final VarHandle OUTCOME;

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(WheelTimeout.class, "outcome", Outcome.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WheelShare share;

    /** Null in the head of a ring. */
    private final TimerTask task;

    /** The first tick at which the delay has elapsed. */
    final long dueTick;

    /**
     * Null while pending, and so never written at first: a volatile write is a large part of the cost of scheduling.
     */
    private volatile Outcome outcome;

    /** Both point to this object while it is in no ring. */
    private WheelTimeout previous = this;

    private WheelTimeout next = this;

    WheelTimeout(WheelShare share, TimerTask task, long dueTick) {
        this.share = share;
        this.task = task;
        this.dueTick = dueTick;
    }

    static WheelTimeout emptyRing(WheelShare share) {
        return new WheelTimeout(share, null, Long.MAX_VALUE);
    }

    /** Call on a ring's head. Returns the time-out at the front, or null. */
    WheelTimeout first() {
        return next == this ? null : next;
    }

    /** Call on a ring's head. */
    void append(WheelTimeout timeout) {
        timeout.previous = previous;
        timeout.next = this;
        previous.next = timeout;
        previous = timeout;
    }

    /** Call on a ring's head. Takes over all of another ring, in constant time. */
    void appendAll(WheelTimeout otherHead) {
        if (otherHead.next == otherHead) {
            return;
        }
        otherHead.next.previous = previous;
        previous.next = otherHead.next;
        otherHead.previous.next = this;
        previous = otherHead.previous;
        otherHead.next = otherHead;
        otherHead.previous = otherHead;
    }

    /** Returns whether it was in a ring. */
    boolean unlink() {
        boolean wasLinked = next != this;
        previous.next = next;
        next.previous = previous;
        previous = this;
        next = this;
        return wasLinked;
    }

    boolean isPending() {
        return outcome == null;
    }

    /** Called at most once. Release is enough: a thread that must see more than the outcome takes the lock. */
    void end(Outcome how) {
        OUTCOME.setRelease(this, how);
    }

    /** From the present on; 0 or less if it is overdue. */
    long nanosLeft() {
        return share.timer().nanosUntil(dueTick);
    }

    @Override
    public Timer getTimer() {
        return share.timer();
    }

    @Override
    public TimerTask getTask() {
        return task;
    }

    @Override
    public boolean isExpired() {
        return outcome == Outcome.EXPIRED;
    }

    @Override
    public boolean isCancelled() {
        return outcome == Outcome.CANCELLED;
    }

    @Override
    public void cancel() {
        share.cancel(this);
    }

    @Override
    public String toString() {
        long millis = TimeUnit.NANOSECONDS.toMillis(nanosLeft());
        Outcome known = outcome;
        return "Timeout(" + (known == null ? "PENDING" : known) + ", "
                + (millis >= 0 ? "in " + millis + " ms" : -millis + " ms ago") + ", " + task + ")";
    }
}
