package org.freshet.logging;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes to slf4j, and through it to the application's logging library. This is the default. */
public class Slf4JLoggerFactory extends InternalLoggerFactory {
    public Slf4JLoggerFactory() {}

    @Override
    public InternalLogger newInstance(String name) {
        return new Slf4JLogger(LoggerFactory.getLogger(name));
    }

    private static final class Slf4JLogger extends AbstractInternalLogger {
        private final Logger logger;

        Slf4JLogger(Logger logger) {
            this.logger = logger;
        }

        @Override
        public boolean isDebugEnabled() {
            return logger.isDebugEnabled();
        }

        @Override
        public boolean isInfoEnabled() {
            return logger.isInfoEnabled();
        }

        @Override
        public boolean isWarnEnabled() {
            return logger.isWarnEnabled();
        }

        @Override
        public boolean isErrorEnabled() {
            return logger.isErrorEnabled();
        }

        @Override
        public void debug(String message) {
            logger.debug(message);
        }

        @Override
        public void debug(String message, Throwable cause) {
            logger.debug(message, cause);
        }

        @Override
        public void info(String message) {
            logger.info(message);
        }

        @Override
        public void info(String message, Throwable cause) {
            logger.info(message, cause);
        }

        @Override
        public void warn(String message) {
            logger.warn(message);
        }

        @Override
        public void warn(String message, Throwable cause) {
            logger.warn(message, cause);
        }

        @Override
        public void error(String message) {
            logger.error(message);
        }

        @Override
        public void error(String message, Throwable cause) {
            logger.error(message, cause);
        }

        @Override
        public String toString() {
            return logger.getName();
        }
    }
}
