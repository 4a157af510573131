package org.freshet.util;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs tasks once after a delay, on its own thread, and provides the matching clock. Any thread may call it. */
public interface Timer {
    /**
     * Schedules a task.
     *
     * @param delay counted from now; zero or less means as soon as possible
     * @return a handle that can cancel the task
     * @throws IllegalStateException if the timer was stopped
     * @throws java.util.concurrent.RejectedExecutionException if the timer already holds its maximum of time-outs
     */
    Timeout newTimeout(TimerTask task, long delay, TimeUnit unit);

    /**
     * Returns the time by the clock that measures the delays, in nanoseconds. The default is {@link System#nanoTime}.
     * Handlers that take a timer read only this clock, so a timer with its own clock controls their time-outs. They may
     * hold a lock while they read it: it must not block.
     */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Stops permanently; no task starts after this returns.
     *
     * @return the time-outs that neither ran nor were cancelled; empty if the timer was already stopped
     * @throws IllegalStateException if called by a task of this timer, which would wait for itself
     */
    Set<Timeout> stop();
}
