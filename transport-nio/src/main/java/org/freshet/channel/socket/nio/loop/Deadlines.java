package org.freshet.channel.socket.nio.loop;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The points in time at which a loop has to act: connect time-outs, accept back-off. Loop only.
 *
 * <p>A cancelled deadline releases its task at once. It leaves the queue when its time comes, or earlier when cancelled ones are the
 * majority.
 */
public final class Deadlines {
    /** Below this many a sweep costs more than the entries that it removes. */
    private static final int MIN_CANCELLED_TO_SWEEP = 64;

    private final PriorityQueue<Deadline> queue = new PriorityQueue<>((a, b) -> Long.compare(a.atNanos - b.atNanos, 0));

    /** As {@link System#nanoTime()}. */
    private final LongSupplier nanoClock;

    private int cancelledCount;

    public Deadlines(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** What the clock says now. */
    public long nowNanos() {
        return nanoClock.getAsLong();
    }

    /** Runs a task once {@code millis} from now have passed, unless the deadline is cancelled first. */
    public Deadline addIn(long millis, Runnable task) {
        return addAt(nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    Deadline addAt(long nanos, Runnable task) {
        Deadline deadline = new Deadline(nanos, task);
        queue.add(deadline);
        return deadline;
    }

    /** Milliseconds until the next deadline, rounded up: 0 when it has passed, -1 when there is none. */
    public long millisToNext() {
        Deadline next = queue.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.atNanos - nanoClock.getAsLong();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** Runs what is due. A task may add and cancel deadlines; what it throws leaves the others in place. */
    public void expire() {
        if (queue.isEmpty()) {
            return; // reading the clock costs more than all else here
        }
        long nowNanos = nanoClock.getAsLong();
        for (Deadline next = queue.peek(); next != null && next.atNanos - nowNanos <= 0; next = queue.peek()) {
            queue.poll();
            if (next.task == null) {
                cancelledCount--;
            } else {
                Runnable task = next.task;
                next.task = null;
                next.isDone = true;
                try {
                    task.run();
                } catch (OutOfMemoryError e) {
                    next.task = task; // memory may come back, a lost deadline would not
                    next.isDone = false;
                    queue.add(next);
                    throw e;
                }
            }
        }
    }

    private void sweep() {
        if (cancelledCount >= MIN_CANCELLED_TO_SWEEP && cancelledCount > queue.size() / 2) {
            queue.removeIf(d -> d.task == null);
            cancelledCount = 0;
        }
    }

    /** One point in time; belongs to the loop that made it. */
    public final class Deadline {
        private final long atNanos;

        /** Null once it ran or was cancelled. */
        private Runnable task;

        private boolean isDone;

        private Deadline(long atNanos, Runnable task) {
            this.atNanos = atNanos;
            this.task = task;
        }

        public void cancel() {
            if (!isDone) {
                isDone = true;
                task = null;
                cancelledCount++;
                sweep();
            }
        }
    }
}
