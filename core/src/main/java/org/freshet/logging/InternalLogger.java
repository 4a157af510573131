package org.freshet.logging;

public interface InternalLogger {
    boolean isDebugEnabled();

    boolean isInfoEnabled();

    boolean isWarnEnabled();

    boolean isErrorEnabled();

    boolean isEnabled(InternalLogLevel internalLogLevel);

    void debug(String name);

    void debug(String name, Throwable cause);

    void info(String name);

    void info(String name, Throwable cause);

    void warn(String name);

    void warn(String name, Throwable cause);

    void error(String name);

    void error(String name, Throwable cause);

    void log(InternalLogLevel internalLogLevel, String name);

    void log(InternalLogLevel internalLogLevel, String name, Throwable cause);
}
