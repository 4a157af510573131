package org.freshet.testkit.simulation;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import org.freshet.internal.FailureWitness;

/**
 * A pooled thread that runs tasks of simulations. A build makes thousands of simulations with seven threads each, so a
 * thread that has finished its task waits for one of a later simulation. A thread whose task never ends is never
 * reused.
 *
 * <p>Threading: any thread may call {@link #start}; a task runs on one thread.
 */
final class SimulatedThread extends Thread implements FailureWitness {
    private static final ConcurrentLinkedDeque<SimulatedThread> IDLE = new ConcurrentLinkedDeque<>();

    /** Null while idle. */
    private volatile Runnable task;

    /** Of the current task; set before the task. */
    private FailureWitness witness;

    private SimulatedThread() {
        setDaemon(true);
    }

    /**
     * Returns the thread that will run the task under the given name.
     *
     * @param witness is notified of failures on the thread
     */
    static SimulatedThread start(String name, Runnable task, FailureWitness witness) {
        SimulatedThread thread = IDLE.pollFirst();
        if (thread == null) {
            thread = new SimulatedThread();
            thread.setName(name);
            thread.witness = witness;
            thread.task = task;
            thread.start();
        } else {
            thread.setName(name);
            thread.witness = witness;
            thread.task = task;
            LockSupport.unpark(thread);
        }
        return thread;
    }

    /** Returns the current task; null while idle. */
    Runnable task() {
        return task;
    }

    @Override
    public void onLoggedFailure(Throwable cause) {
        witness.onLoggedFailure(cause);
    }

    @Override
    public void onTaskFailed(Runnable failed, Throwable cause) {
        witness.onTaskFailed(failed, cause);
    }

    @Override
    public void onTaskObserved(Runnable failed) {
        witness.onTaskObserved(failed);
    }

    @Override
    public void run() {
        while (true) {
            Runnable mine = task;
            if (mine == null) {
                LockSupport.park(this);
                continue;
            }
            mine.run();
            interrupted(); // clears the flag for the next task
            setName("simulated-idle");
            witness = null;
            task = null;
            IDLE.addFirst(this);
        }
    }
}
