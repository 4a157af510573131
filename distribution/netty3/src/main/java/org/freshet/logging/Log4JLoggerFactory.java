package org.freshet.logging;

import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/** Logs to log4j 1.2, or to reload4j, its maintained successor. */
public class Log4JLoggerFactory extends InternalLoggerFactory {
    public Log4JLoggerFactory() {}

    @Override
    public InternalLogger newInstance(String name) {
        return new Log4JLogger(Logger.getLogger(name));
    }

    private static final class Log4JLogger extends LevelLogger {
        private final Logger logger;

        Log4JLogger(Logger logger) {
            this.logger = logger;
        }

        @Override
        public boolean isEnabled(InternalLogLevel level) {
            return logger.isEnabledFor(levelOf(level));
        }

        @Override
        public void log(InternalLogLevel level, String message, Throwable cause) {
            logger.log(LevelLogger.class.getName(), levelOf(level), message, cause);
        }

        private static Level levelOf(InternalLogLevel level) {
            return switch (level) {
                case DEBUG -> Level.DEBUG;
                case INFO -> Level.INFO;
                case WARN -> Level.WARN;
                case ERROR -> Level.ERROR;
            };
        }

        @Override
        public String toString() {
            return logger.getName();
        }
    }
}
