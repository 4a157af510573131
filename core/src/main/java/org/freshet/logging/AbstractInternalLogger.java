package org.freshet.logging;

/** Dispatches calls that take the level as an argument to the methods named after the level. */
public abstract class AbstractInternalLogger implements InternalLogger {
    protected AbstractInternalLogger() {}

    @Override
    public boolean isEnabled(InternalLogLevel level) {
        return switch (level) {
            case DEBUG -> isDebugEnabled();
            case INFO -> isInfoEnabled();
            case WARN -> isWarnEnabled();
            case ERROR -> isErrorEnabled();
        };
    }

    @Override
    public void log(InternalLogLevel level, String message) {
        switch (level) {
            case DEBUG -> debug(message);
            case INFO -> info(message);
            case WARN -> warn(message);
            case ERROR -> error(message);
        }
    }

    @Override
    public void log(InternalLogLevel level, String message, Throwable cause) {
        switch (level) {
            case DEBUG -> debug(message, cause);
            case INFO -> info(message, cause);
            case WARN -> warn(message, cause);
            case ERROR -> error(message, cause);
        }
    }
}
