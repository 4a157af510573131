package org.freshet.handler.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs tasks one after another in the order in which they were offered, on whatever thread runs the lane. A lane lives as
 * long as it has work: the offer of its first task schedules it, and when the last one has run it retires. The next task of
 * the same key then needs a new lane, which cannot overtake this one.
 *
 * <pre>
 *   NEW --first offer--&gt; SCHEDULED --nothing left, or emptied--&gt; RETIRED
 * </pre>
 *
 * <p>Any thread may offer; one thread at a time runs. The lock guards all fields and is held for moments only.
 */
abstract class TaskLane implements Runnable {
    private enum State {
        NEW,
        SCHEDULED,
        RETIRED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(TaskLane.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> waiting = new ArrayDeque<>(4);
    private State state = State.NEW;

    /** Has {@link #run} be called once, on another thread. */
    abstract void schedule();

    /** Runs a task and deals with what it throws. */
    abstract void runTask(Runnable task);

    /** Lets the key have another lane. May be called more than once, from any thread. */
    abstract void onRetired();

    /** Deals with tasks that were accepted and cannot be run, since the lane could not be scheduled. */
    abstract void onLost(List<Runnable> tasks, Throwable cause);

    /**
     * Takes a task.
     *
     * @return false, having done nothing, if the lane has retired
     * @throws RuntimeException or Error that of {@link #schedule}; the task is not taken then
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
            lost.remove(task);
            onLost(lost, refused);
            throw refused;
        }
        return true;
    }

    /** Takes a task back. */
    final boolean takeBack(Runnable task) {
        lock.lock();
        try {
            return waiting.remove(task);
        } finally {
            lock.unlock();
        }
    }

    /** Retires at once. Returns what waits; the task that runs at the moment is the last one. */
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
        onRetired();
        return left;
    }

    @Override
    public final void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                runTask(task);
            } catch (Throwable t) {
                logger.error("a task failed; those behind it go on: " + task, t);
            }
        }
        onRetired();
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
}
