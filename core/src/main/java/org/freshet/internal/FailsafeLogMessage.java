package org.freshet.internal;

import org.freshet.logging.InternalLogger;

/**
 * A log message for places where nothing may be thrown: without memory, even creating a log record can fail. Create it when its class is
 * initialized, because the first use of a string constant allocates, too. Any thread may call any method.
 */
public final class FailsafeLogMessage {
    static {
        HeapReserve.isMissing(); // initializes it, which takes memory
    }

    private final InternalLogger logger;
    private final boolean isError;
    private final String text;

    private FailsafeLogMessage(InternalLogger logger, boolean isError, String text) {
        this.logger = logger;
        this.isError = isError;
        this.text = text;
    }

    public static FailsafeLogMessage warning(InternalLogger logger, String text) {
        return new FailsafeLogMessage(logger, false, text);
    }

    public static FailsafeLogMessage error(InternalLogger logger, String text) {
        return new FailsafeLogMessage(logger, true, text);
    }

    /**
     * Logs the text if that is possible; while the heap is full, it isn't tried. A failure ends here, so this also has room made if memory
     * ran out.
     *
     * @param about appended to the text; its {@code toString} may throw; null for nothing
     */
    public void log(Object about, Throwable cause) {
        HeapReserve.onFailure(cause);
        if (HeapReserve.isMissing()) {
            return; // each attempt would have the collector stop all threads
        }
        if (about == null || !tryLog(about, cause)) {
            tryLog(null, cause);
        }
    }

    private boolean tryLog(Object about, Throwable cause) {
        try {
            String whole = about == null ? text : text + ": " + about;
            if (isError) {
                logger.error(whole, cause);
            } else {
                logger.warn(whole, cause);
            }
            return true;
        } catch (Throwable unloggable) { // logging the failure would fail, too
            return false;
        }
    }
}
