package org.freshet.testkit.simulation;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs one task of a simulation after the other. A build makes thousands of simulations of seven threads each, so a thread that has ended
 * its task waits for one of a later simulation. One whose task never ends is never used again.
 *
 * <p>Threading: {@link #start} is for any thread; a task runs on one.
 */
final class SimulatedThread extends Thread {
    private static final ConcurrentLinkedDeque<SimulatedThread> IDLE = new ConcurrentLinkedDeque<>();

    /** Null while idle. */
    private volatile Runnable task;

    private SimulatedThread() {
        setDaemon(true);
    }

    /** Returns the thread that will run the task under the given name. */
    static SimulatedThread start(String name, Runnable task) {
        SimulatedThread thread = IDLE.pollFirst();
        if (thread == null) {
            thread = new SimulatedThread();
            thread.setName(name);
            thread.task = task;
            thread.start();
        } else {
            thread.setName(name);
            thread.task = task;
            LockSupport.unpark(thread);
        }
        return thread;
    }

    /** What the thread runs; null while idle. */
    Runnable task() {
        return task;
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
            interrupted(); // no flag for the next
            setName("simulated-idle");
            task = null;
            IDLE.addFirst(this);
        }
    }
}
