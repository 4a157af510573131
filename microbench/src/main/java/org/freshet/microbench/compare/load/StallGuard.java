package org.freshet.microbench.compare.load;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Unblocks a load whose threads block in reads if nothing has arrived for too long. Its own thread ends with
 * {@link #close}.
 */
final class StallGuard implements AutoCloseable {
    /** The time a server may be silent. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final LongSupplier progress;
    private final Duration patience;
    private final Runnable release;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean stalled;

    /**
     * Starts watching.
     *
     * @param progress increases while data arrives; called by the guard's thread
     * @param release makes the blocked reads fail; run once, by the guard's thread
     */
    StallGuard(LongSupplier progress, Duration patience, Runnable release) {
        this.progress = progress;
        this.patience = patience;
        this.release = release;
        Thread thread = new Thread(this::watch, "stall-guard");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns whether it had to unblock the reads. */
    boolean stalled() {
        return stalled;
    }

    /** Returns the message for that case. */
    String complaint() {
        return "the server sent nothing for " + patience.toMillis() / 1000.0 + " s";
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private void watch() {
        try {
            long seen;
            do {
                seen = progress.getAsLong();
                if (closed.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            } while (progress.getAsLong() != seen);
            stalled = true;
            release.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
