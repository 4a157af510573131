package org.freshet.channel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.logging.AbstractInternalLogger;
import org.freshet.logging.InternalLogLevel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Keeps Freshet's log while it is open. One at a time. */
final class CapturedLog extends InternalLoggerFactory implements AutoCloseable {
    record Line(String logger, InternalLogLevel level, String message, Throwable cause) {}

    private final InternalLoggerFactory before = InternalLoggerFactory.getDefaultFactory();
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    CapturedLog() {
        InternalLoggerFactory.setDefaultFactory(this);
    }

    List<Line> lines() {
        return lines;
    }

    /** The one line there is. */
    Line only() {
        if (lines.size() != 1) {
            throw new AssertionError("expected one line in the log: " + lines);
        }
        return lines.get(0);
    }

    @Override
    public void close() {
        InternalLoggerFactory.setDefaultFactory(before);
    }

    @Override
    public InternalLogger newInstance(String name) {
        return new Logger(name);
    }

    private final class Logger extends AbstractInternalLogger {
        private final String name;

        Logger(String name) {
            this.name = name;
        }

        private void add(InternalLogLevel level, String message, Throwable cause) {
            lines.add(new Line(name, level, message, cause));
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public void debug(String message) {}

        @Override
        public void debug(String message, Throwable cause) {}

        @Override
        public void info(String message) {
            add(InternalLogLevel.INFO, message, null);
        }

        @Override
        public void info(String message, Throwable cause) {
            add(InternalLogLevel.INFO, message, cause);
        }

        @Override
        public void warn(String message) {
            add(InternalLogLevel.WARN, message, null);
        }

        @Override
        public void warn(String message, Throwable cause) {
            add(InternalLogLevel.WARN, message, cause);
        }

        @Override
        public void error(String message) {
            add(InternalLogLevel.ERROR, message, null);
        }

        @Override
        public void error(String message, Throwable cause) {
            add(InternalLogLevel.ERROR, message, cause);
        }
    }
}
