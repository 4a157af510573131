package org.freshet.internal;

import java.util.function.BooleanSupplier;

/**
 * A channel that one thread drives.
 *
 * <p>A future of such a channel that is awaited on that very thread has it do what is awaited, by {@link #onAwait}, and refuses to
 * wait for the rest, which no other thread could do.
 */
public interface IoThreadBound {
    /** Whether the caller is the thread that completes this channel's futures. Any thread may ask. */
    boolean inIoThread();

    /**
     * Whether the caller runs this channel's events now, so that it may fire another one at once. False where that is not known:
     * the event is handed over then.
     */
    default boolean runsEvents() {
        return false;
    }

    /**
     * Has a task run on the I/O thread; if the caller is that thread, not before it has finished what it's at. Does nothing once that thread
     * has ended.
     */
    void runLater(Runnable task);

    /**
     * Called before a thread waits for a future of this channel: on the I/O thread, does what {@link #onAwait} says.
     *
     * @param isDone whether the future has completed
     * @return whether the caller would wait for itself if the future is still pending now
     */
    default boolean onAwaitBegins(BooleanSupplier isDone) {
        if (!inIoThread()) {
            return false;
        }
        onAwait(isDone);
        return true;
    }

    /**
     * Does what a pending future waits for, as far as that can be done at once: sends what is queued, and closes the channel if
     * that was requested. Called on the I/O thread before it would wait; if the future is still pending afterwards, the wait is
     * refused.
     *
     * @param isDone whether the future has completed
     */
    default void onAwait(BooleanSupplier isDone) {}
}
