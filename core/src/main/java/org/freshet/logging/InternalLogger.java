package org.freshet.logging;

/**
 * Takes the messages of one part of Freshet. Messages are plain text: braces and percent signs mean nothing in them.
 *
 * <p>Any thread may call any method. An implementation neither throws nor blocks longer than the logging library behind
 * it; it accepts a null message and a null cause.
 */
public interface InternalLogger {
    boolean isDebugEnabled();

    boolean isInfoEnabled();

    boolean isWarnEnabled();

    boolean isErrorEnabled();

    /** Whether messages of {@code level} are written. Check before building a costly message. */
    boolean isEnabled(InternalLogLevel level);

    void debug(String message);

    void debug(String message, Throwable cause);

    void info(String message);

    void info(String message, Throwable cause);

    void warn(String message);

    void warn(String message, Throwable cause);

    void error(String message);

    void error(String message, Throwable cause);

    /** The same as calling the method named like {@code level}. */
    void log(InternalLogLevel level, String message);

    /** The same as calling the method named like {@code level}. */
    void log(InternalLogLevel level, String message, Throwable cause);
}
