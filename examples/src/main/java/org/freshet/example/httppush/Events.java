package org.freshet.example.httppush;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Numbered events, starting at 1. Keeps the latest ones for clients that missed them. Any thread. */
final class Events {
    private static final int MAX_KEPT = 100;

    record Event(long number, String text) {}

    /** Oldest first. Guarded by this. */
    private final Deque<Event> kept = new ArrayDeque<>();

    /** Number of the newest event. Guarded by this. */
    private long lastNumber;

    private final Set<Runnable> listeners = ConcurrentHashMap.newKeySet();

    void publish(String text) {
        synchronized (this) {
            kept.add(new Event(++lastNumber, text));
            if (kept.size() > MAX_KEPT) {
                kept.remove();
            }
        }
        listeners.forEach(Runnable::run);
    }

    synchronized long lastNumber() {
        return lastNumber;
    }

    /** Returns the oldest event kept with a higher number. */
    synchronized Optional<Event> after(long number) {
        return kept.stream().filter(event -> event.number > number).findFirst();
    }

    /** @param listener called after each event was published, on the publishing thread; must not block */
    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }
}
