package org.freshet.logging;

import java.util.Objects;

/**
 * Delegates each call to a logger from the current default factory.
 *
 * <p>A message that the application's logging can't write is lost, but fails nothing else.
 *
 * <p>Any thread may call it. The logger is cached together with the factory that made it, so a call costs two volatile
 * reads. If two threads see a new factory at the same moment, both may ask it for a logger, and one of the two is kept.
 */
final class FollowingLogger extends AbstractInternalLogger {
    private final String name;

    private volatile Target target = new Target(null, null);

    private record Target(InternalLoggerFactory factory, InternalLogger logger) {}

    FollowingLogger(String name) {
        this.name = name;
    }

    private InternalLogger current() {
        InternalLoggerFactory factory = InternalLoggerFactory.getDefaultFactory();
        Target known = target;
        return known.factory == factory ? known.logger : follow(factory);
    }

    private InternalLogger follow(InternalLoggerFactory factory) {
        InternalLogger logger = Objects.requireNonNull(factory.newInstance(name), "newInstance() returned null");
        target = new Target(factory, logger);
        return logger;
    }

    private void write(InternalLogLevel level, String message) {
        try {
            current().log(level, message);
        } catch (RuntimeException lost) {
            // there is no other place to report it
        }
    }

    /** If an exception can't be printed, because its message is computed and that fails, its type is logged. */
    private void write(InternalLogLevel level, String message, Throwable cause) {
        try {
            current().log(level, message, cause);
        } catch (RuntimeException unprintable) {
            write(
                    level,
                    cause == null ? message : message + " (" + cause.getClass().getName() + ')');
        }
    }

    @Override
    public boolean isDebugEnabled() {
        return current().isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return current().isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return current().isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return current().isErrorEnabled();
    }

    @Override
    public void debug(String message) {
        write(InternalLogLevel.DEBUG, message);
    }

    @Override
    public void debug(String message, Throwable cause) {
        write(InternalLogLevel.DEBUG, message, cause);
    }

    @Override
    public void info(String message) {
        write(InternalLogLevel.INFO, message);
    }

    @Override
    public void info(String message, Throwable cause) {
        write(InternalLogLevel.INFO, message, cause);
    }

    @Override
    public void warn(String message) {
        write(InternalLogLevel.WARN, message);
    }

    @Override
    public void warn(String message, Throwable cause) {
        write(InternalLogLevel.WARN, message, cause);
    }

    @Override
    public void error(String message) {
        write(InternalLogLevel.ERROR, message);
    }

    @Override
    public void error(String message, Throwable cause) {
        write(InternalLogLevel.ERROR, message, cause);
    }

    @Override
    public String toString() {
        return name;
    }
}
