package org.freshet.internal.write;

import java.util.concurrent.TimeUnit;
import org.freshet.internal.time.Alarm;

/** Checks a channel without an I/O loop from time to time while messages wait in it, on a daemon thread. Any thread may call any method. */
public final class StallTimer {
    /** The channel's queue of waiting messages. Any thread may call any method. */
    public interface Queue {
        /** Returns the next message to send, a different object for each message; null if nothing waits. */
        Object head();

        /** Returns a number that changes whenever a part of the head is sent. */
        long sentBytes();

        /** 0 for no limit. */
        int stallMillis();

        void onStalled(int stallMillis);
    }

    private final Queue queue;
    private final Alarm alarm = new Alarm(null, Runnable::run, this::look);

    /** The result of the checks so far; null while nothing waits. */
    private volatile WriteStall stall;

    public StallTimer(Queue queue) {
        this.queue = queue;
    }

    /** Call this when a message may have been queued. */
    public void onQueued() {
        if (alarm.isSet()) {
            return;
        }
        try {
            int stallMillis = queue.stallMillis();
            Object head = queue.head();
            if (stallMillis > 0 && head != null) {
                begin(stallMillis, head);
            }
        } catch (Error e) { // out of memory; the message is queued nevertheless
            alarm.retry();
        }
    }

    private void begin(int stallMillis, Object head) {
        if (stall == null) {
            stall = new WriteStall(head, queue.sentBytes(), System.nanoTime());
        }
        alarm.set(TimeUnit.MILLISECONDS.toNanos(WriteStall.intervalMillis(stallMillis)));
    }

    private void look() {
        int stallMillis = queue.stallMillis();
        Object head = queue.head();
        WriteStall last = stall;
        if (stallMillis == 0 || head == null) {
            stall = null;
            onQueued(); // for messages queued just before
        } else if (last != null && last.isOver(stallMillis, head, queue.sentBytes(), System.nanoTime())) {
            queue.onStalled(stallMillis);
        } else {
            begin(stallMillis, head);
        }
    }
}
