package org.freshet.util;

import java.util.Collection;

/**
 * One share of a timer's wheel: a ring of time-outs per bucket, and the lock that guards them all.
 *
 * <p>Each thread schedules in one share, so threads seldom contend. A time-out is linked and unlinked directly in its
 * ring: no queue grows between two ticks, and a cancelled time-out becomes garbage immediately. The worker visits all
 * shares at each tick. It holds the lock only while it looks at {@link #LOOKS_PER_LOCKING} time-outs, and no task runs
 * under it.
 */
final class WheelShare {
    /** A few microseconds of work, and so the longest that a scheduling thread waits. */
    private static final int LOOKS_PER_LOCKING = 256;

    private final HashedWheelTimer timer;
    private final BriefLock lock = new BriefLock();

    /** The heads of the rings, each null until first used. The length is a power of two. */
    private final WheelTimeout[] buckets;

    /** The bucket of the current tick, which the worker empties from the front. */
    private final WheelTimeout currentBucket = WheelTimeout.emptyRing(this);

    /** The first tick whose bucket the worker has not taken yet. New time-outs must not go into an earlier one. */
    private long nextTick;

    private int pending;
    private boolean closed;

    WheelShare(HashedWheelTimer timer, int bucketCount) {
        this.timer = timer;
        this.buckets = new WheelTimeout[bucketCount];
    }

    HashedWheelTimer timer() {
        return timer;
    }

    /** Returns false if the share is closed. */
    boolean add(WheelTimeout timeout) {
        lock.lock();
        try {
            if (!closed) {
                bucket(Math.max(timeout.dueTick, nextTick)).append(timeout);
                pending++;
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    void cancel(WheelTimeout timeout) {
        boolean wasPending;
        lock.lock();
        try {
            if (!timeout.isPending()) {
                return;
            }
            timeout.end(WheelTimeout.Outcome.CANCELLED);
            wasPending = timeout.unlink();
            if (wasPending) {
                pending--;
            }
        } finally {
            lock.unlock();
        }
        if (wasPending) {
            timer.releaseAdmission();
        }
    }

    /** Worker only: advances to a tick. {@link #pollDue} then returns what is due. */
    void advanceTo(long tick) {
        lock.lock();
        try {
            nextTick = tick + 1;
            WheelTimeout bucket = buckets[indexOf(tick)];
            if (bucket != null) {
                currentBucket.appendAll(bucket);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Worker only: marks one time-out as expired and returns it. Time-outs for a later round of the wheel go back to
     * their bucket.
     *
     * @return null if nothing more is due at this tick
     */
    WheelTimeout pollDue(long tick) {
        while (true) {
            lock.lock();
            try {
                for (int looks = 0; looks < LOOKS_PER_LOCKING; looks++) {
                    WheelTimeout timeout = currentBucket.first();
                    if (timeout == null) {
                        return null;
                    }
                    timeout.unlink();
                    if (timeout.dueTick <= tick) {
                        timeout.end(WheelTimeout.Outcome.EXPIRED);
                        pending--;
                        return timeout;
                    }
                    bucket(timeout.dueTick).append(timeout);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    int pending() {
        lock.lock();
        try {
            return pending;
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more time-outs and moves the pending ones to {@code leftOver}. */
    void close(Collection<? super WheelTimeout> leftOver) {
        lock.lock();
        try {
            closed = true;
            pending = 0;
            moveAll(currentBucket, leftOver);
            for (WheelTimeout bucket : buckets) {
                if (bucket != null) {
                    moveAll(bucket, leftOver);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static void moveAll(WheelTimeout ring, Collection<? super WheelTimeout> target) {
        for (WheelTimeout timeout = ring.first(); timeout != null; timeout = ring.first()) {
            timeout.unlink();
            target.add(timeout);
        }
    }

    private WheelTimeout bucket(long tick) {
        int index = indexOf(tick);
        WheelTimeout bucket = buckets[index];
        if (bucket == null) {
            bucket = WheelTimeout.emptyRing(this);
            buckets[index] = bucket;
        }
        return bucket;
    }

    private int indexOf(long tick) {
        return (int) tick & buckets.length - 1;
    }
}
