package org.freshet.channel.local;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.freshet.internal.request.SerialExecutor;

/**
 * Runs channels' events on the thread that causes them, one after the other and never nested: an event caused by another event waits until
 * that one is over, even if they belong to different channels. Any thread may call any method.
 */
final class LocalEvents {
    /** How many events of one channel run in a row before those of the next, so that a busy channel doesn't starve the others. */
    private static final int EVENTS_PER_ROUND = 64;

    /** The channels whose events this thread has yet to run; null while it runs none. */
    private static final ThreadLocal<ArrayDeque<SerialExecutor>> WAITING = new ThreadLocal<>();

    private LocalEvents() {}

    /** Whether the calling thread runs events, so that waiting could mean waiting for itself. */
    static boolean areRunByCurrentThread() {
        return WAITING.get() != null;
    }

    /** Runs the event on this thread, or leaves it to the thread that is running the channel's events. */
    static void later(SerialExecutor executor, Runnable event) {
        executor.enqueue(event);
        ArrayDeque<SerialExecutor> waiting = WAITING.get();
        if (waiting != null) {
            waiting.add(executor);
        } else {
            runAll(executor);
        }
    }

    /**
     * Called within an event that is about to wait for others. Runs the events that wait for that event to end, except those of channels in
     * the middle of an event. Does nothing on a thread that runs no events.
     */
    static void runWaiting(BooleanSupplier isEnough) {
        ArrayDeque<SerialExecutor> waiting = WAITING.get();
        if (waiting == null) {
            return;
        }
        // A channel in the middle of an event runs its queued events when that one is over.
        waiting.removeIf(SerialExecutor::isHeldByCurrentThread);
        while (!waiting.isEmpty() && !isEnough.getAsBoolean()) {
            SerialExecutor executor = waiting.poll();
            if (executor.drain(EVENTS_PER_ROUND)) {
                waiting.add(executor);
            }
        }
    }

    private static void runAll(SerialExecutor first) {
        ArrayDeque<SerialExecutor> waiting = new ArrayDeque<>();
        WAITING.set(waiting);
        try {
            for (SerialExecutor executor = first; executor != null; executor = waiting.poll()) {
                if (executor.drain(EVENTS_PER_ROUND)) {
                    waiting.add(executor);
                }
            }
        } finally {
            WAITING.remove();
        }
    }
}
