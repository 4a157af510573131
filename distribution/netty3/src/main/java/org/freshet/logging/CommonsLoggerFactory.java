package org.freshet.logging;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Logs to Apache Commons Logging. */
public class CommonsLoggerFactory extends InternalLoggerFactory {
    public CommonsLoggerFactory() {}

    @Override
    public InternalLogger newInstance(String name) {
        return new CommonsLogger(name, LogFactory.getLog(name));
    }

    private static final class CommonsLogger extends LevelLogger {
        private final String name;
        private final Log log;

        CommonsLogger(String name, Log log) {
            this.name = name;
            this.log = log;
        }

        @Override
        public boolean isEnabled(InternalLogLevel level) {
            return switch (level) {
                case DEBUG -> log.isDebugEnabled();
                case INFO -> log.isInfoEnabled();
                case WARN -> log.isWarnEnabled();
                case ERROR -> log.isErrorEnabled();
            };
        }

        @Override
        public void log(InternalLogLevel level, String message, Throwable cause) {
            switch (level) {
                case DEBUG -> log.debug(message, cause);
                case INFO -> log.info(message, cause);
                case WARN -> log.warn(message, cause);
                case ERROR -> log.error(message, cause);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
