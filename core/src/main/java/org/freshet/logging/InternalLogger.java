package org.freshet.logging;

/**
 * Takes the messages of one part of Freshet. Messages are plain text: braces and percent signs have no special meaning.
 *
 * <p>Any thread may call any method. An implementation must not throw, and must not block longer than the logging
 * library
 * it writes to. It accepts a null message and a null cause.
 */
public interface InternalLogger {
    boolean isDebugEnabled();

    boolean isInfoEnabled();

    boolean isWarnEnabled();

    boolean isErrorEnabled();

    /** Returns whether messages of {@code level} are written. Check this before you build a costly message. */
    boolean isEnabled(InternalLogLevel level);

    void debug(String message);

    void debug(String message, Throwable cause);

    void info(String message);

    void info(String message, Throwable cause);

    void warn(String message);

    void warn(String message, Throwable cause);

    void error(String message);

    void error(String message, Throwable cause);

    /** Same as calling the method named after {@code level}. */
    void log(InternalLogLevel level, String message);

    /** Same as calling the method named after {@code level}. */
    void log(InternalLogLevel level, String message, Throwable cause);
}
