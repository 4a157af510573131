package org.freshet.util;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A view of an executor with its own life cycle. Shutting it down ends the view and waits for or interrupts only the
 * tasks submitted through it; the underlying executor stays available to its other users.
 *
 * <p>Any thread may call it. All fields below are guarded by {@code lock}, which is never held while a task runs or
 * while the executor is called.
 */
public class VirtualExecutorService extends AbstractExecutorService {
    private final Executor parent;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition becameIdle = lock.newCondition();
    private final Set<Tracked> waiting = new LinkedHashSet<>();
    private final Map<Tracked, Thread> running = new HashMap<>();
    private boolean closed;

    /** Identified by instance: submitting a task twice makes two entries. */
    private final class Tracked implements Runnable {
        final Runnable task;

        Tracked(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!began(this)) {
                return;
            }
            try {
                task.run();
            } finally {
                ended(this);
            }
        }
    }

    public VirtualExecutorService(Executor parent) {
        this.parent = Objects.requireNonNull(parent, "parent");
    }

    @Override
    public boolean isShutdown() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isTerminated() {
        lock.lock();
        try {
            return closed && isIdle();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void shutdown() {
        lock.lock();
        try {
            closed = true;
            becameIdle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Shuts down, interrupts running tasks, and takes back those that have not begun. The underlying executor still
     * calls those, without effect.
     *
     * @return the tasks that will not run, in submission order
     */
    @Override
    public List<Runnable> shutdownNow() {
        lock.lock();
        try {
            closed = true;
            List<Runnable> neverBegun = new ArrayList<>(waiting.size());
            waiting.forEach(tracked -> neverBegun.add(tracked.task));
            waiting.clear();
            running.values().forEach(Thread::interrupt);
            becameIdle.signalAll();
            return neverBegun;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long remainingNanos = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (!(closed && isIdle())) {
                if (remainingNanos <= 0) {
                    return false;
                }
                remainingNanos = becameIdle.awaitNanos(remainingNanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void execute(Runnable command) {
        Tracked tracked = new Tracked(Objects.requireNonNull(command, "command"));
        admit(tracked);
        try {
            parent.execute(tracked);
        } catch (RuntimeException | Error refused) {
            forget(tracked);
            throw refused;
        }
    }

    private void admit(Tracked tracked) {
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException("the executor was shut down: " + this);
            }
            waiting.add(tracked);
        } finally {
            lock.unlock();
        }
    }

    /** Returns false if the task was cancelled before. */
    private boolean began(Tracked tracked) {
        lock.lock();
        try {
            boolean mayRun = waiting.remove(tracked);
            if (mayRun) {
                running.put(tracked, Thread.currentThread());
            }
            return mayRun;
        } finally {
            lock.unlock();
        }
    }

    private void ended(Tracked tracked) {
        lock.lock();
        try {
            running.remove(tracked);
            signalIfIdle();
        } finally {
            lock.unlock();
        }
    }

    private void forget(Tracked tracked) {
        lock.lock();
        try {
            waiting.remove(tracked);
            signalIfIdle();
        } finally {
            lock.unlock();
        }
    }

    private void signalIfIdle() {
        if (isIdle()) {
            becameIdle.signalAll();
        }
    }

    private boolean isIdle() {
        return waiting.isEmpty() && running.isEmpty();
    }
}
