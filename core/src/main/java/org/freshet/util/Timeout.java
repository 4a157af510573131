package org.freshet.util;

/**
 * A scheduled task. It is pending at first and ends either expired or cancelled, never both. Any thread
 * may call.
 */
public interface Timeout {
    Timer getTimer();

    TimerTask getTask();

    /** Whether the task was started; true also while it runs. */
    boolean isExpired();

    boolean isCancelled();

    /** Cancels the task. Has no effect once it was started or cancelled. */
    void cancel();
}
