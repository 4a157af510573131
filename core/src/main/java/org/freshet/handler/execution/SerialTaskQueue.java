package org.freshet.handler.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs the tasks of one key one after another, in the order in which they were offered. A queue lives as long as it has tasks:
 * the first offer schedules it, and it retires when the last task has run. The next task of the same key then needs a new
 * queue, which cannot overtake this one.
 *
 * <pre>
 *   NEW --first offer--&gt; SCHEDULED --no task left, or emptied--&gt; RETIRED
 * </pre>
 *
 * <p>Any thread may offer; one thread at a time runs. The lock guards all fields, and no task or overridden method is called
 * while it is held.
 */
abstract class SerialTaskQueue implements Runnable {
    private enum State {
        NEW,
        SCHEDULED,
        RETIRED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SerialTaskQueue.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> waiting = new ArrayDeque<>(4);
    private State state = State.NEW;

    /** Has {@link #run} called once, on another thread. */
    abstract void schedule();

    /** Runs a task and handles what it throws. */
    abstract void runTask(Runnable task);

    /** Lets the key have another queue. May be called more than once, from any thread, and may throw. */
    abstract void onRetired();

    /** Handles tasks that were accepted and cannot be run, since this queue could not be scheduled. */
    abstract void onLost(List<Runnable> tasks, Throwable cause);

    /**
     * Accepts a task.
     *
     * @return false if this queue has retired; nothing was done then
     * @throws RuntimeException or Error that of {@link #schedule}; the task is not accepted then
     */
    final boolean offer(Runnable task) {
        lock.lock();
        try {
            if (state == State.RETIRED) {
                return false;
            }
            waiting.add(task);
            if (state == State.SCHEDULED) {
                return true;
            }
            state = State.SCHEDULED;
        } finally {
            lock.unlock();
        }
        try {
            schedule();
        } catch (RuntimeException | Error refused) { // among errors, that no thread can be made
            List<Runnable> lost = retire();
            lost.removeIf(one -> one == task);
            onLost(lost, refused);
            throw refused;
        }
        return true;
    }

    /** How many tasks wait. */
    final int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** The task that has waited longest; null if none waits. */
    final Runnable oldest() {
        lock.lock();
        try {
            return waiting.peek();
        } finally {
            lock.unlock();
        }
    }

    /** Removes a task that waits. */
    final boolean remove(Runnable task) {
        lock.lock();
        try {
            return waiting.removeIf(one -> one == task);
        } finally {
            lock.unlock();
        }
    }

    /** Retires at once. Returns the waiting tasks; a task that is running is the last one. */
    final List<Runnable> retire() {
        List<Runnable> left;
        lock.lock();
        try {
            state = State.RETIRED;
            left = new ArrayList<>(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        tellRetired();
        return left;
    }

    @Override
    public final void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                runTask(task);
            } catch (Throwable t) {
                logger.error("a task threw; the tasks behind it still run: " + task, t);
            }
        }
        tellRetired();
    }

    private Runnable next() {
        lock.lock();
        try {
            Runnable task = waiting.poll();
            if (task == null) {
                state = State.RETIRED;
            }
            return task;
        } finally {
            lock.unlock();
        }
    }

    private void tellRetired() {
        try {
            onRetired();
        } catch (RuntimeException | Error e) {
            logger.warn("a map of keys threw; its entry is replaced when the key has its next event", e);
        }
    }
}
