package org.freshet.internal.write;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.internal.time.SafetyTimer;

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
    private final AtomicBoolean isLooking = new AtomicBoolean();

    public StallTimer(Queue queue) {
        this.queue = queue;
    }

    /** Something waits, perhaps. */
    public void onQueued() {
        int stallMillis = queue.stallMillis();
        Object head = queue.head();
        if (stallMillis > 0 && head != null && isLooking.compareAndSet(false, true)) {
            lookLater(new WriteStall(head, queue.sentBytes(), System.nanoTime()), stallMillis);
        }
    }

    private void lookLater(WriteStall stall, int stallMillis) {
        SafetyTimer.startBlocking(WriteStall.intervalMillis(stallMillis), TimeUnit.MILLISECONDS, () -> look(stall));
    }

    private void look(WriteStall stall) {
        int stallMillis = queue.stallMillis();
        Object head = queue.head();
        if (stallMillis == 0 || head == null) {
            isLooking.set(false);
            onQueued(); // for what came before that
        } else if (stall.isOver(stallMillis, head, queue.sentBytes(), System.nanoTime())) {
            queue.onStalled(stallMillis);
        } else {
            lookLater(stall, stallMillis);
        }
    }
}
