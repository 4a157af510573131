package org.freshet.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.freshet.logging.AbstractInternalLogger;
import org.freshet.logging.InternalLogLevel;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * While open, captures all Freshet log messages of every level and thread; they are not written.
 *
 * <pre>{@code
 * try (CapturedLog log = CapturedLog.start()) {
 *     ...
 *     log.awaitMessage(message -> message.level() == WARN && message.text().contains("leak"));
 * }
 * }</pre>
 */
public final class CapturedLog implements AutoCloseable {
    /** One message; {@code cause} may be null. */
    public record Message(String logger, InternalLogLevel level, String text, Throwable cause) {}

    private final InternalLoggerFactory before = InternalLoggerFactory.getDefaultFactory();
    private final List<Message> messages = new CopyOnWriteArrayList<>();

    /** Thrown by each message instead of keeping it; null to keep messages. */
    private final Supplier<? extends Error> failure;

    private CapturedLog(Supplier<? extends Error> failure) {
        this.failure = failure;
    }

    public static CapturedLog start() {
        return start(null);
    }

    /** Every message throws, like a logger that has run out of memory. */
    public static CapturedLog failing(Supplier<? extends Error> failure) {
        return start(failure);
    }

    private static CapturedLog start(Supplier<? extends Error> failure) {
        CapturedLog log = new CapturedLog(failure);
        InternalLoggerFactory.setDefaultFactory(log.new Factory());
        return log;
    }

    /** The messages captured so far, in order. */
    public List<Message> messages() {
        return List.copyOf(messages);
    }

    /** The messages of one level captured so far. */
    public List<Message> messages(InternalLogLevel level) {
        return messages.stream().filter(message -> message.level == level).toList();
    }

    /** The only message; fails if there are more or none. */
    public Message only() {
        List<Message> all = messages();
        if (all.size() != 1) {
            throw new AssertionError("expected one message in the log: " + all);
        }
        return all.get(0);
    }

    /** Waits for a message that matches and returns the first one. */
    public Message awaitMessage(Predicate<Message> wanted) {
        Await.until(() -> messages.stream().anyMatch(wanted), () -> "a log message; received " + messages);
        return messages.stream().filter(wanted).findFirst().orElseThrow();
    }

    /** Sends messages to the previous logger factory again. */
    @Override
    public void close() {
        InternalLoggerFactory.setDefaultFactory(before);
    }

    private final class Factory extends InternalLoggerFactory {
        @Override
        public InternalLogger newInstance(String name) {
            return new Logger(name);
        }
    }

    private final class Logger extends AbstractInternalLogger {
        private final String name;

        Logger(String name) {
            this.name = name;
        }

        private void take(InternalLogLevel level, String text, Throwable cause) {
            if (failure != null) {
                throw failure.get();
            }
            messages.add(new Message(name, level, text, cause));
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
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
        public void debug(String message) {
            take(InternalLogLevel.DEBUG, message, null);
        }

        @Override
        public void debug(String message, Throwable cause) {
            take(InternalLogLevel.DEBUG, message, cause);
        }

        @Override
        public void info(String message) {
            take(InternalLogLevel.INFO, message, null);
        }

        @Override
        public void info(String message, Throwable cause) {
            take(InternalLogLevel.INFO, message, cause);
        }

        @Override
        public void warn(String message) {
            take(InternalLogLevel.WARN, message, null);
        }

        @Override
        public void warn(String message, Throwable cause) {
            take(InternalLogLevel.WARN, message, cause);
        }

        @Override
        public void error(String message) {
            take(InternalLogLevel.ERROR, message, null);
        }

        @Override
        public void error(String message, Throwable cause) {
            take(InternalLogLevel.ERROR, message, cause);
        }
    }
}
