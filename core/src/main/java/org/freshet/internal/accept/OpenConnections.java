package org.freshet.internal.accept;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of open connections and its limit, and the servers that wait for room. Any thread may call any method; none of them blocks.
 */
final class OpenConnections {
    private final AtomicInteger open = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile int max = AcceptLimits.NO_LIMIT;
    private volatile boolean isPaused;

    int max() {
        return max;
    }

    void setMax(int count) {
        max = count;
        wakeIfRoom();
    }

    boolean isPaused() {
        return isPaused;
    }

    /** While paused, there is no room. */
    void setPaused(boolean isWanted) {
        isPaused = isWanted;
        wakeIfRoom();
    }

    int count() {
        return open.get();
    }

    boolean hasRoom() {
        return !isPaused && open.get() < max;
    }

    /** Whether the open connections are within the limit. */
    boolean isWithinLimit() {
        return !isPaused && open.get() <= max;
    }

    /** Counts one more; returns false if there is no room. */
    boolean tryOpen() {
        while (!isPaused) {
            int now = open.get();
            if (now >= max) {
                return false;
            }
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Undoes {@link #tryOpen}. Allocates nothing. */
    void close() {
        open.decrementAndGet();
        wakeIfRoom();
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /**
     * @param wakeUp one per server; called only by the server's own thread, so it is in the queue at most once
     */
    void whenRoom(Runnable wakeUp) {
        if (!waiting.contains(wakeUp)) {
            waiting.add(wakeUp);
        }
        wakeIfRoom();
    }

    void stopWaiting(Runnable wakeUp) {
        waiting.remove(wakeUp);
    }

    int waiting() {
        return waiting.size();
    }

    private void wakeIfRoom() {
        if (waiting.isEmpty() || !hasRoom()) {
            return;
        }
        for (Runnable wakeUp = waiting.poll(); wakeUp != null; wakeUp = waiting.poll()) {
            wakeUp.run();
        }
    }
}
