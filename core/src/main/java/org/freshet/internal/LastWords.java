package org.freshet.internal;

import org.freshet.logging.InternalLogger;

/** Logs from where nothing may be thrown: without memory even a text or a logger's record can fail. Any thread may call. */
public final class LastWords {
    private LastWords() {}

    /**
     * Logs a warning if that is possible.
     *
     * @param about is added to the text; its {@code toString} may throw; null for nothing
     */
    public static void warn(InternalLogger logger, String text, Object about, Throwable cause) {
        try {
            logger.warn(about == null ? text : text + ": " + about, cause);
        } catch (Throwable unloggable) { // nothing is left to say it with
            return;
        }
    }

    /** Logs an error if that is possible; see {@link #warn}. */
    public static void error(InternalLogger logger, String text, Object about, Throwable cause) {
        try {
            logger.error(about == null ? text : text + ": " + about, cause);
        } catch (Throwable unloggable) { // nothing is left to say it with
            return;
        }
    }
}
