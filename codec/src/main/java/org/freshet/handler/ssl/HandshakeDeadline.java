package org.freshet.handler.ssl;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;

/**
 * Something that happens at a time unless it is cancelled before; for handshakes. Without a timer of the user's it runs on
 * the JDK's own daemon thread for delays, so that there is none of ours to start and stop.
 */
final class HandshakeDeadline {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HandshakeDeadline.class);

    private final Runnable cancellation;

    private HandshakeDeadline(Runnable cancellation) {
        this.cancellation = cancellation;
    }

    /**
     * @param timer null for the JDK's
     * @param expired runs on the timer's thread: must be short
     */
    static HandshakeDeadline start(Timer timer, long millis, Runnable expired) {
        if (timer != null) {
            Timeout timeout = timer.newTimeout(t -> expired.run(), millis, TimeUnit.MILLISECONDS);
            return new HandshakeDeadline(timeout::cancel);
        }
        CompletableFuture<Void> inTime = new CompletableFuture<>();
        inTime.orTimeout(millis, TimeUnit.MILLISECONDS).whenComplete((nothing, failure) -> {
            if (failure instanceof TimeoutException) {
                expired.run();
            }
        });
        return new HandshakeDeadline(() -> inTime.complete(null));
    }

    /** Does nothing if it was cancelled before. Any thread may call. What the user's timer throws is logged. */
    void cancel() {
        try {
            cancellation.run();
        } catch (RuntimeException e) {
            logger.warn("The timer of TLS handshakes does not cancel a timeout.", e);
        }
    }
}
