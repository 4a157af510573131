package org.freshet.logging;

import java.util.Objects;

/**
 * Delegates each call to a logger from the current default factory.
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
        current().debug(message);
    }

    @Override
    public void debug(String message, Throwable cause) {
        current().debug(message, cause);
    }

    @Override
    public void info(String message) {
        current().info(message);
    }

    @Override
    public void info(String message, Throwable cause) {
        current().info(message, cause);
    }

    @Override
    public void warn(String message) {
        current().warn(message);
    }

    @Override
    public void warn(String message, Throwable cause) {
        current().warn(message, cause);
    }

    @Override
    public void error(String message) {
        current().error(message);
    }

    @Override
    public void error(String message, Throwable cause) {
        current().error(message, cause);
    }

    @Override
    public String toString() {
        return name;
    }
}
