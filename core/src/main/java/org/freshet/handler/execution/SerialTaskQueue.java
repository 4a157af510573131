package org.freshet.handler.execution;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Runs the tasks of one key one after another, in the order offered. A queue lives as long as it has tasks: the first
 * offer schedules it, and it retires when the last task has run. The next task of the same key then needs a new queue,
 * which cannot overtake this one.
 *
 * <pre>
 *   NEW --first offer--&gt; SCHEDULED --no task left, or emptied--&gt; RETIRED
 * </pre>
 *
 * <p>Any thread may offer; one thread at a time runs. The lock guards all fields, and is never held while a task or an
 * overridden method runs.
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

    /** Arranges for {@link #run} to be called once, on another thread. */
    abstract void schedule();

    /** Runs a task and handles what it throws. */
    abstract void runTask(Runnable task);

    /** Lets the key have another queue. May be called more than once, from any thread, and may throw. */
    abstract void onRetired();

    /** Handles accepted tasks that cannot run because this queue could not be scheduled. */
    abstract void onLost(List<Runnable> tasks, Throwable cause);

    /**
     * Accepts a task.
     *
     * @return false if this queue has retired; the task was not accepted
     * @throws RuntimeException or Error from {@link #schedule}; the task was not accepted
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
        } catch (Throwable refused) { // including the error that no thread can be started
            List<Runnable> lost = retire();
            lost.removeIf(one -> one == task);
            onLost(lost, refused);
            throw refused;
        }
        return true;
    }

    /** Returns the number of waiting tasks. */
    final int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the task that has waited longest, or null. */
    final Runnable oldest() {
        lock.lock();
        try {
            return waiting.peek();
        } finally {
            lock.unlock();
        }
    }

    /** Removes a waiting task. */
    final boolean remove(Runnable task) {
        lock.lock();
        try {
            return waiting.removeIf(one -> one == task);
        } finally {
            lock.unlock();
        }
    }

    /** Retires immediately. Returns the waiting tasks; a running task becomes the last one. */
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
        notifyRetired();
        return left;
    }

    @Override
    public final void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                runTask(task);
            } catch (Throwable t) {
                logger.error("a task threw; the tasks after it still run: " + task, t);
            }
        }
        notifyRetired();
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

    private void notifyRetired() {
        try {
            onRetired();
        } catch (Throwable e) {
            logger.warn("a map of keys threw; the key's next event replaces its entry", e);
        }
    }
}
