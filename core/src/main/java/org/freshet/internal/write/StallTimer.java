package org.freshet.internal.write;

import java.util.concurrent.TimeUnit;
import org.freshet.internal.time.Alarm;

/**
 * Looks at a channel that has no I/O loop, from time to time while something waits in it, on a daemon thread. Any thread
 * may call.
 */
public final class StallTimer {
    /** What waits in the channel. Any thread. */
    public interface Queue {
        /** What is to be sent next, another object for each message; null if nothing waits. */
        Object head();

        /** A number that changes whenever a part of the head leaves. */
        long sentBytes();

        /** 0 for no limit. */
        int stallMillis();

        void onStalled(int stallMillis);
    }

    private final Queue queue;
    private final Alarm alarm = new Alarm(null, Runnable::run, this::look);

    /** What the looks have found so far; null while nothing waits. */
    private volatile WriteStall stall;

    public StallTimer(Queue queue) {
        this.queue = queue;
    }

    /** Something waits, perhaps. */
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
        } catch (Error e) { // without memory; what waits is queued all the same
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
            onQueued(); // for what came before that
        } else if (last != null && last.isOver(stallMillis, head, queue.sentBytes(), System.nanoTime())) {
            queue.onStalled(stallMillis);
        } else {
            begin(stallMillis, head);
        }
    }
}
