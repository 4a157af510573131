package org.freshet.channel;

import java.util.function.LongSupplier;
import org.freshet.internal.SafeText;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Logs events that peers can cause at will: one line each, without a stack trace. A token bucket limits the lines of all channels together;
 * the next line says how many were left out.
 *
 * <p>Threading: any thread. The lock is held for a few instructions, and never while logging.
 */
final class PeerFaultLog {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    /** The maximum number of lines in a burst after a quiet period. */
    static final int BURST_LINES = 100;

    /** The time it takes for one more line to be allowed. */
    static final long LINE_NANOS = 100_000_000;

    private static final PeerFaultLog SHARED = new PeerFaultLog(System::nanoTime);

    private final LongSupplier nanoClock;

    /** When the bucket became or will become full. Guarded by this. */
    private long fullAtNanos;

    /** Lines left out since the last logged one. Guarded by this. */
    private long omitted;

    PeerFaultLog(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        fullAtNanos = nanoClock.getAsLong();
    }

    /** Logs a line unless there were too many of all channels. */
    static void log(String what, Throwable cause) {
        SHARED.write(what, cause);
    }

    void write(String what, Throwable cause) {
        long before = admit();
        if (before >= 0) {
            logger.warn(what + ": " + SafeText.of(cause) + describe(before));
        }
    }

    /** The end of a line, with the number of lines left out before it. */
    static String describe(long omitted) {
        return omitted == 0 ? "" : " (" + omitted + " more not logged)";
    }

    /** Returns -1 if the line must be left out, otherwise how many were left out since the last logged one. */
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
