package org.freshet.internal;

import java.util.function.BooleanSupplier;

/**
 * A channel that one thread drives.
 *
 * <p>If a future of such a channel is awaited on that thread, {@link #onAwait} first does what the future waits for, as far as possible.
 * Waiting for the rest throws, because no other thread could do it.
 */
public interface IoThreadBound {
    /** Whether the caller is the thread that completes this channel's futures. Any thread may call this. */
    boolean inIoThread();

    /**
     * Whether the caller currently runs this channel's events, so that it may fire another one immediately. False if that is unknown; the
     * event is then handed over.
     */
    default boolean runsEvents() {
        return false;
    }

    /**
     * Runs a task on the I/O thread. If the caller is that thread, the task runs after its current work. Has no effect once that thread has
     * ended.
     */
    void runLater(Runnable task);

    /**
     * Called before a thread waits for a future of this channel. On the I/O thread, calls {@link #onAwait}.
     *
     * @param isDone whether the future has completed
     * @return whether the caller would wait for itself if the future is still pending
     */
    default boolean onAwaitBegins(BooleanSupplier isDone) {
        if (!inIoThread()) {
            return false;
        }
        onAwait(isDone);
        return true;
    }

    /**
     * Does what a pending future waits for, as far as that is possible immediately: sends the queued messages, and closes the channel if
     * that was requested. Called on the I/O thread before it would wait. If the future is still pending afterwards, the wait throws.
     *
     * @param isDone whether the future has completed
     */
    default void onAwait(BooleanSupplier isDone) {}
}
