package org.freshet.channel;

import java.util.function.LongSupplier;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Logs what peers can cause at will: one line each, without a stack trace. A token bucket limits the lines of all
 * channels together; the next line says how many were left out.
 *
 * <p>Threading: any thread. The lock is held for a few instructions, and never while something is logged.
 */
final class PeerFaultLog {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    /** Lines that may come together after a quiet time. */
    static final int BURST_LINES = 100;

    /** Time in which one more line is allowed. */
    static final long LINE_NANOS = 100_000_000;

    private static final PeerFaultLog SHARED = new PeerFaultLog(System::nanoTime);

    private final LongSupplier nanoClock;

    /** When the bucket was or will be full. Guarded by this. */
    private long fullAtNanos;

    /** Lines that were left out since the last one. Guarded by this. */
    private long omitted;

    PeerFaultLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        fullAtNanos = nanoClock.getAsLong();
    }

    static void log(String what, Throwable cause) {
        long before = SHARED.admit();
        if (before >= 0) {
            logger.warn(what + ": " + cause + describe(before));
        }
    }

    /** What a line ends with. */
    static String describe(long omitted) {
        return omitted == 0 ? "" : " (" + omitted + " more of the kind were not logged)";
    }

    /** Returns -1 if the line is to be left out, else how many were left out since the last. */
    synchronized long admit() {
        long now = nanoClock.getAsLong();
        long fullAt = Math.max(0, fullAtNanos - now) + LINE_NANOS;
        if (fullAt > BURST_LINES * LINE_NANOS) {
            omitted++;
            return -1;
        }
        fullAtNanos = now + fullAt;
        long before = omitted;
        omitted = 0;
        return before;
    }
}
