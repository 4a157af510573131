package org.freshet.util;

/** The work to do when a time-out expires. */
public interface TimerTask {
    /**
     * Runs on the timer's thread, so it delays all other time-outs of that timer; hand long work to an executor. An
     * exception is logged and ends only this task.
     *
     * @param timeout the handle that {@link Timer#newTimeout} returned for this task
     */
    void run(Timeout timeout) throws Exception;
}
