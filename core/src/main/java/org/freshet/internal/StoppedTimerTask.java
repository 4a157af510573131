package org.freshet.internal;

/** A timer's task whose time continues elsewhere if the timer is stopped. Any thread may call it. */
public interface StoppedTimerTask {
    /**
     * Called once by a timer that has been stopped, without a lock, for a task that was pending.
     *
     * @param leftNanos until the task is due; 0 or less if it is overdue
     */
    void onTimerStopped(long leftNanos);
}
