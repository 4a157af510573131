package org.freshet.logging;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Writes to {@code java.util.logging}: DEBUG as FINE, INFO as INFO, WARN as WARNING, ERROR as SEVERE. Use it in
 * applications without an slf4j binding: {@code InternalLoggerFactory.setDefaultFactory(new JdkLoggerFactory())}.
 */
public class JdkLoggerFactory extends InternalLoggerFactory {
    public JdkLoggerFactory() {}

    @Override
    public InternalLogger newInstance(String name) {
        return new JdkLogger(Logger.getLogger(name));
    }

    private static final class JdkLogger extends AbstractInternalLogger {
        private final Logger logger;

        JdkLogger(Logger logger) {
            this.logger = logger;
        }

        /** Names the logger as the source; otherwise the library would infer this class from the stack. */
        private void write(Level level, String message, Throwable cause) {
            logger.logp(level, logger.getName(), null, message, cause);
        }

        @Override
        public boolean isDebugEnabled() {
            return logger.isLoggable(Level.FINE);
        }

        @Override
        public boolean isInfoEnabled() {
            return logger.isLoggable(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return logger.isLoggable(Level.WARNING);
        }

        @Override
        public boolean isErrorEnabled() {
            return logger.isLoggable(Level.SEVERE);
        }

        @Override
        public void debug(String message) {
            write(Level.FINE, message, null);
        }

        @Override
        public void debug(String message, Throwable cause) {
            write(Level.FINE, message, cause);
        }

        @Override
        public void info(String message) {
            write(Level.INFO, message, null);
        }

        @Override
        public void info(String message, Throwable cause) {
            write(Level.INFO, message, cause);
        }

        @Override
        public void warn(String message) {
            write(Level.WARNING, message, null);
        }

        @Override
        public void warn(String message, Throwable cause) {
            write(Level.WARNING, message, cause);
        }

        @Override
        public void error(String message) {
            write(Level.SEVERE, message, null);
        }

        @Override
        public void error(String message, Throwable cause) {
            write(Level.SEVERE, message, cause);
        }

        @Override
        public String toString() {
            return logger.getName();
        }
    }
}
