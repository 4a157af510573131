package org.freshet.channel.socket.nio.loop;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The times at which a loop must act: connect time-outs, accept back-off. Loop only.
 *
 * <p>A cancelled deadline releases its task immediately. It leaves the queue when its time comes, or earlier when most
 * entries are cancelled.
 */
public final class Deadlines {
    /** With fewer cancelled entries, a sweep costs more than it saves. */
    private static final int MIN_CANCELLED_TO_SWEEP = 64;

    private final PriorityQueue<Deadline> queue = new PriorityQueue<>((a, b) -> Long.compare(a.atNanos - b.atNanos, 0));

    /** In the form of {@link System#nanoTime()}. */
    private final LongSupplier nanoClock;

    private int cancelledCount;

    public Deadlines(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Returns the clock's current time. */
    public long nowNanos() {
        return nanoClock.getAsLong();
    }

    /** Runs a task {@code millis} from now, unless the deadline is cancelled first. */
    public Deadline addIn(long millis, Runnable task) {
        return addAt(nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis), task);
    }

    Deadline addAt(long nanos, Runnable task) {
        Deadline deadline = new Deadline(nanos, task);
        queue.add(deadline);
        return deadline;
    }

    /** Returns the milliseconds until the next deadline, rounded up: 0 if it has passed, -1 without a deadline. */
    public long millisToNext() {
        Deadline next = queue.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.atNanos - nanoClock.getAsLong();
        return nanos <= 0 ? 0 : (nanos + 999_999) / 1_000_000;
    }

    /** Runs the tasks that are due. A task may add and cancel deadlines. If one throws, the others stay. */
    public void expire() {
        if (queue.isEmpty()) {
            return; // reading the clock costs more than the rest of this method
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
                    next.task = task; // memory may come back; a lost deadline would not
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

    /** One deadline; belongs to the loop that created it. */
    public final class Deadline {
        private final long atNanos;

        /** Null once it has run or was cancelled. */
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
