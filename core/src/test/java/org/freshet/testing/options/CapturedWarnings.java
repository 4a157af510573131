package org.freshet.testing.options;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.logging.AbstractInternalLogger;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Takes Freshet's log messages in place of the default factory, until closed, and remembers the warnings. */
public final class CapturedWarnings extends InternalLoggerFactory implements AutoCloseable {
    private final InternalLoggerFactory replaced = InternalLoggerFactory.getDefaultFactory();
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    public CapturedWarnings() {
        InternalLoggerFactory.setDefaultFactory(this);
    }

    /** Messages so far, oldest first. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Messages so far that mention something. */
    public List<String> warningsAbout(String text) {
        return warnings.stream().filter(warning -> warning.contains(text)).toList();
    }

    @Override
    public void close() {
        InternalLoggerFactory.setDefaultFactory(replaced);
    }

    @Override
    public InternalLogger newInstance(String name) {
        return new Recorder();
    }

    private final class Recorder extends AbstractInternalLogger {
        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return false;
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
        public void info(String message) {}

        @Override
        public void info(String message, Throwable cause) {}

        @Override
        public void warn(String message) {
            warnings.add(message);
        }

        @Override
        public void warn(String message, Throwable cause) {
            warnings.add(message);
        }

        @Override
        public void error(String message) {}

        @Override
        public void error(String message, Throwable cause) {}
    }
}
