package org.freshet.channel;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Counts futures that fail while they have no listener and no thread awaits them, such as the future of a {@code channel.write(x)} that the
 * caller ignores. A listener added later is still called.
 *
 * <p>They are always counted. At most once a minute, one of them is logged with the number since the last time, as a warning. It is logged
 * at the debug level if the cause is an {@link IOException} or means that an executor was shut down, because a broken connection is also
 * reported by {@code exceptionCaught} and {@link Channel#getCloseReason()}. The system property {@code org.freshet.unobservedFailures=off}
 * turns the logging off.
 *
 * <p>Any thread may call any method.
 */
public final class UnobservedFailures {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnobservedFailures.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String NO_MEMORY = OutOfMemoryError.class.getName();

    private static final UnobservedFailures INSTANCE = new UnobservedFailures(
            System::nanoTime, !"off".equals(System.getProperty("org.freshet.unobservedFailures")));

    private final LongSupplier nanoClock;
    private final boolean isLogged;
    private final Series warnings;
    private final Series details;
    private volatile UnobservedFailureListener listener;

    /** The counts for one log level. */
    private final class Series {
        private final Map<String, LongAdder> byCause = new ConcurrentHashMap<>();
        private final LongAdder sinceLogged = new LongAdder();
        private final AtomicLong nextNanos = new AtomicLong(nanoClock.getAsLong());

        /** Returns how many there have been since the last message, including this one; 0 if no message is due. */
        long count() {
            sinceLogged.increment();
            long now = nanoClock.getAsLong();
            long due = nextNanos.get();
            boolean isDue = now - due >= 0 && nextNanos.compareAndSet(due, now + QUIET_NANOS);
            return isDue ? sinceLogged.sumThenReset() : 0;
        }

        void add(Throwable cause) {
            byCause.computeIfAbsent(cause.getClass().getName(), name -> new LongAdder())
                    .increment();
        }

        /** Counts from the start of the process. */
        String commonest() {
            return byCause.entrySet().stream()
                    .max((a, b) -> Long.compare(a.getValue().sum(), b.getValue().sum()))
                    .map(most -> most.getKey() + " (" + most.getValue().sum() + " in total)")
                    .orElse("none");
        }
    }

    UnobservedFailures(LongSupplier nanoClock, boolean isLogged) {
        this.nanoClock = nanoClock;
        this.isLogged = isLogged;
        warnings = new Series();
        details = new Series();
        warnings.byCause.put(NO_MEMORY, new LongAdder()); // so that counting it takes no memory
    }

    /**
     * Sets a listener for failures.
     *
     * @param listener null for none
     */
    public static void setListener(UnobservedFailureListener listener) {
        INSTANCE.listener = listener;
    }

    /** Returns how many there have been, by the name of the cause's class. */
    public static Map<String, Long> getCounts() {
        return INSTANCE.counts();
    }

    static UnobservedFailures instance() {
        return INSTANCE;
    }

    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        warnings.byCause.forEach((cause, count) -> counts.put(cause, count.sum()));
        details.byCause.forEach((cause, count) -> counts.put(cause, count.sum()));
        counts.remove(NO_MEMORY, 0L);
        return counts;
    }

    /** Called when a future has failed and nothing observes it. Never throws. */
    void onFailed(Channel channel, Throwable cause) {
        boolean isMemory = !HeapReserve.isMissing();
        try {
            seriesOf(cause).add(cause);
            if (isMemory && !(cause instanceof IOException)) {
                Flight.unobservedFailure(channel, cause);
            }
            notifyListener(channel, cause);
            if (isMemory && isLogged) {
                log(channel, cause);
            }
        } catch (Throwable t) { // from a listener, or out of memory: the future is complete in any case
            logFailure(t);
        }
    }

    private void notifyListener(Channel channel, Throwable cause) {
        UnobservedFailureListener current = listener;
        if (current != null) {
            current.failed(channel, cause);
        }
    }

    private void log(Channel channel, Throwable cause) {
        Series series = seriesOf(cause);
        boolean isDetail = series == details;
        long count = series.count();
        if (count == 0 || isDetail && !logger.isDebugEnabled()) {
            return;
        }
        String text = "futures failed without a listener or a waiting thread, since the last such message: " + count
                + "; the latest on " + channel + ": " + cause;
        if (isDetail) {
            logger.debug(text, cause);
        } else {
            logger.warn(text + "; most frequent cause: " + series.commonest(), cause);
        }
    }

    private Series seriesOf(Throwable cause) {
        return cause instanceof IOException || cause instanceof RejectedExecutionException ? details : warnings;
    }

    private static void logFailure(Throwable t) {
        try {
            logger.warn("cannot report the failure of a future", t);
        } catch (Throwable unloggable) {
            // There is nothing else to do.
        }
    }

    void setOwnListener(UnobservedFailureListener listener) {
        this.listener = listener;
    }
}
