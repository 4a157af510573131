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
import org.freshet.internal.flight.Flight;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Counts futures that fail while they have no listener and no thread awaits them, such as that of a {@code channel.write(x)} whose result
 * is dropped. A listener that is added later is called all the same.
 *
 * <p>They are always counted. At most once a minute, one is logged with the number of those since: as a warning, or at the debug level where
 * the cause is an {@link IOException}, because a connection that breaks is reported by {@code exceptionCaught} and by {@link
 * Channel#getCloseReason()}, or that an executor was shut down. The system property {@code org.freshet.unobservedFailures=off} has nothing logged.
 *
 * <p>Any thread may call.
 */
public final class UnobservedFailures {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnobservedFailures.class);
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final UnobservedFailures INSTANCE = new UnobservedFailures(
            System::nanoTime, !"off".equals(System.getProperty("org.freshet.unobservedFailures")));

    private final LongSupplier nanoClock;
    private final boolean isLogged;
    private final Series warnings;
    private final Series details;
    private volatile UnobservedFailureListener listener;

    /** What is logged at one level. */
    private final class Series {
        private final Map<String, LongAdder> byCause = new ConcurrentHashMap<>();
        private final LongAdder sinceLogged = new LongAdder();
        private final AtomicLong nextNanos = new AtomicLong(nanoClock.getAsLong());

        /** How many there have been since the last message, this one included; 0 if none is due. */
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

        /** Of all since the start. */
        String commonest() {
            return byCause.entrySet().stream()
                    .max((a, b) -> Long.compare(a.getValue().sum(), b.getValue().sum()))
                    .map(most -> most.getKey() + " (" + most.getValue().sum() + " in all)")
                    .orElse("none");
        }
    }

    UnobservedFailures(LongSupplier nanoClock, boolean isLogged) {
        this.nanoClock = nanoClock;
        this.isLogged = isLogged;
        warnings = new Series();
        details = new Series();
    }

    /**
     * Has each failure reported to a listener, too.
     *
     * @param listener null for none
     */
    public static void setListener(UnobservedFailureListener listener) {
        INSTANCE.listener = listener;
    }

    /** How many there have been, by the name of the cause's class. */
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
        return counts;
    }

    /** A future has failed and nobody looks. Throws nothing. */
    void onFailed(Channel channel, Throwable cause) {
        try {
            seriesOf(cause).add(cause);
            if (!(cause instanceof IOException)) {
                Flight.unobservedFailure(channel, cause);
            }
            tell(channel, cause);
            if (isLogged) {
                log(channel, cause);
            }
        } catch (Throwable t) { // by a listener, or for want of memory: the future is complete, whatever happens here
            logFailure(t);
        }
    }

    private void tell(Channel channel, Throwable cause) {
        UnobservedFailureListener told = listener;
        if (told != null) {
            told.failed(channel, cause);
        }
    }

    private void log(Channel channel, Throwable cause) {
        Series series = seriesOf(cause);
        boolean isDetail = series == details;
        long count = series.count();
        if (count == 0 || isDetail && !logger.isDebugEnabled()) {
            return;
        }
        String text =
                "futures that failed without a listener or a thread that awaits them, since the last such message: "
                        + count + "; the latest on " + channel + ": " + cause;
        if (isDetail) {
            logger.debug(text, cause);
        } else {
            logger.warn(text + "; most of all: " + series.commonest(), cause);
        }
    }

    private Series seriesOf(Throwable cause) {
        return cause instanceof IOException || cause instanceof RejectedExecutionException ? details : warnings;
    }

    private static void logFailure(Throwable t) {
        try {
            logger.warn("a failure that nobody observes could not be reported", t);
        } catch (Throwable unloggable) {
            // Nothing else can be done about it.
        }
    }

    void setOwnListener(UnobservedFailureListener listener) {
        this.listener = listener;
    }
}
