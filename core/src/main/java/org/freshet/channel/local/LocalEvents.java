package org.freshet.channel.local;

import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.freshet.internal.request.SerialExecutor;

/**
 * Runs channels' events on the thread that causes them, one after the other instead of one within the other: an event caused
 * by an event waits until that one is over, whichever channels they belong to. Any thread.
 */
final class LocalEvents {
    /** Events of one channel in a row before those of the next; otherwise a busy channel could keep the others waiting. */
    private static final int EVENTS_A_ROUND = 64;

    /** The channels that this thread has to look after, while it runs events. */
    private static final ThreadLocal<ArrayDeque<SerialExecutor>> WAITING = new ThreadLocal<>();

    private LocalEvents() {}

    /** Whether the caller runs events, which may be what it would wait for. */
    static boolean areRunByCurrentThread() {
        return WAITING.get() != null;
    }

    /** Runs the event on this thread, or leaves it to the one that runs events of the channel just now. */
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
     * Within an event that is about to wait for others: runs what waits for that event's end, except for events of channels in the
     * middle of one. Does nothing on a thread that runs no events.
     */
    static void runWaiting(BooleanSupplier isEnough) {
        ArrayDeque<SerialExecutor> waiting = WAITING.get();
        if (waiting == null) {
            return;
        }
        // A channel in the middle of an event goes on with what it was left when that event is over.
        waiting.removeIf(SerialExecutor::isHeldByCurrentThread);
        while (!waiting.isEmpty() && !isEnough.getAsBoolean()) {
            SerialExecutor executor = waiting.poll();
            if (executor.drain(EVENTS_A_ROUND)) {
                waiting.add(executor);
            }
        }
    }

    private static void runAll(SerialExecutor first) {
        ArrayDeque<SerialExecutor> waiting = new ArrayDeque<>();
        WAITING.set(waiting);
        try {
            for (SerialExecutor executor = first; executor != null; executor = waiting.poll()) {
                if (executor.drain(EVENTS_A_ROUND)) {
                    waiting.add(executor);
                }
            }
        } finally {
            WAITING.remove();
        }
    }
}
