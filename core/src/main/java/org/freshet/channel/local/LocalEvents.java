package org.freshet.channel.local;

import java.util.ArrayDeque;
import org.freshet.internal.EventTurn;

/**
 * Runs channels' events on the thread that causes them, one after the other instead of one within the other: an event caused
 * by an event waits until that one is over, whichever channels they belong to. Any thread.
 */
final class LocalEvents {
    /** Events of one channel in a row before those of the next; otherwise a busy channel could keep the others waiting. */
    private static final int EVENTS_A_ROUND = 64;

    /** The channels that this thread has to look after, while it runs events. */
    private static final ThreadLocal<ArrayDeque<EventTurn>> WAITING = new ThreadLocal<>();

    private LocalEvents() {}

    /** Runs the event on this thread, or leaves it to the one that runs events of the channel just now. */
    static void later(EventTurn turn, Runnable event) {
        turn.bring(event);
        ArrayDeque<EventTurn> waiting = WAITING.get();
        if (waiting != null) {
            waiting.add(turn);
        } else {
            runAll(turn);
        }
    }

    private static void runAll(EventTurn first) {
        ArrayDeque<EventTurn> waiting = new ArrayDeque<>();
        WAITING.set(waiting);
        try {
            for (EventTurn turn = first; turn != null; turn = waiting.poll()) {
                if (turn.runBrought(EVENTS_A_ROUND)) {
                    waiting.add(turn);
                }
            }
        } finally {
            WAITING.remove();
        }
    }
}
