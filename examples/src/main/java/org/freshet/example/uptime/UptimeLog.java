package org.freshet.example.uptime;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Prints events with their time. Any thread; one thread may also wait for events. */
final class UptimeLog {
    enum Event {
        UP,
        SILENT,
        DOWN,
        FAILED
    }

    private static final int MAX_WAIT_SECONDS = 10;

    private final long startNanos = System.nanoTime();
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    void say(String text) {
        System.out.printf("%6.2f s  %s%n", (System.nanoTime() - startNanos) / 1e9, text);
    }

    void record(Event event, String text) {
        say("client: " + text);
        events.add(event);
    }

    /** Returns whether the event occurred in time; skips others. */
    boolean await(Event event) throws InterruptedException {
        Event next;
        do {
            next = events.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } while (next != null && next != event);
        if (next == null) {
            say("failed: the client should be " + event);
        }
        return next != null;
    }
}
