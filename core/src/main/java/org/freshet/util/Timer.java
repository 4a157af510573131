package org.freshet.util;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs tasks once after a delay, on a thread of its own, and has the clock that goes with it. Any thread may call. */
public interface Timer {
    /**
     * Schedules a task.
     *
     * @param delay counted from now; zero and less mean as soon as possible
     * @return the handle, by which the task can be cancelled
     * @throws IllegalStateException if the timer was stopped
     * @throws java.util.concurrent.RejectedExecutionException if the timer holds as many time-outs as it may
     */
    Timeout newTimeout(TimerTask task, long delay, TimeUnit unit);

    /**
     * The clock that the delays are measured by, in nanoseconds, as {@link System#nanoTime}, which is the default. Handlers that take a timer
     * read this clock alone, so a timer with a clock of its own controls their time-outs. They may hold a lock when they do: it must not block.
     */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Stops for good; no task starts after the return.
     *
     * @return the time-outs that neither ran nor were cancelled; empty when stopped before
     * @throws IllegalStateException if called by a task of this timer, which would wait for itself
     */
    Set<Timeout> stop();
}
