package org.freshet.util;

/** A scheduled task. It starts pending and ends either expired or cancelled, never both. Any thread may call it. */
public interface Timeout {
    Timer getTimer();

    TimerTask getTask();

    /** Returns whether the task was started; true while it runs, too. */
    boolean isExpired();

    boolean isCancelled();

    /** Cancels the task. Has no effect once the task has started or been cancelled. */
    void cancel();
}
