package org.freshet.logging;

import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;

/** Logs to JBoss Logging. */
public class JBossLoggerFactory extends InternalLoggerFactory {
    public JBossLoggerFactory() {}

    @Override
    public InternalLogger newInstance(String name) {
        return new JBossLogger(Logger.getLogger(name));
    }

    private static final class JBossLogger extends LevelLogger {
        private final Logger logger;

        JBossLogger(Logger logger) {
            this.logger = logger;
        }

        @Override
        public boolean isEnabled(InternalLogLevel level) {
            return logger.isEnabled(levelOf(level));
        }

        @Override
        public void log(InternalLogLevel level, String message, Throwable cause) {
            logger.log(LevelLogger.class.getName(), levelOf(level), message, null, cause);
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
