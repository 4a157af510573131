package org.freshet.logging;

/** Maps the methods named after levels to two methods with the level as a parameter. */
abstract class LevelLogger extends AbstractInternalLogger {
    LevelLogger() {}

    @Override
    public abstract boolean isEnabled(InternalLogLevel level);

    /** {@code cause} may be null. */
    @Override
    public abstract void log(InternalLogLevel level, String message, Throwable cause);

    @Override
    public final void log(InternalLogLevel level, String message) {
        log(level, message, null);
    }

    @Override
    public final boolean isDebugEnabled() {
        return isEnabled(InternalLogLevel.DEBUG);
    }

    @Override
    public final boolean isInfoEnabled() {
        return isEnabled(InternalLogLevel.INFO);
    }

    @Override
    public final boolean isWarnEnabled() {
        return isEnabled(InternalLogLevel.WARN);
    }

    @Override
    public final boolean isErrorEnabled() {
        return isEnabled(InternalLogLevel.ERROR);
    }

    @Override
    public final void debug(String message) {
        log(InternalLogLevel.DEBUG, message, null);
    }

    @Override
    public final void debug(String message, Throwable cause) {
        log(InternalLogLevel.DEBUG, message, cause);
    }

    @Override
    public final void info(String message) {
        log(InternalLogLevel.INFO, message, null);
    }

    @Override
    public final void info(String message, Throwable cause) {
        log(InternalLogLevel.INFO, message, cause);
    }

    @Override
    public final void warn(String message) {
        log(InternalLogLevel.WARN, message, null);
    }

    @Override
    public final void warn(String message, Throwable cause) {
        log(InternalLogLevel.WARN, message, cause);
    }

    @Override
    public final void error(String message) {
        log(InternalLogLevel.ERROR, message, null);
    }

    @Override
    public final void error(String message, Throwable cause) {
        log(InternalLogLevel.ERROR, message, cause);
    }
}
