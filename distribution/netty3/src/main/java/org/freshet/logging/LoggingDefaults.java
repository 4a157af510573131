package org.freshet.logging;

import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Chooses slf4j, of any version, if it is present and bound to a logging library; otherwise {@code java.util.logging},
 * like Netty 3.
 */
final class LoggingDefaults {
    static final InternalLoggerFactory FACTORY = isSlf4jInUse() ? new Slf4JLoggerFactory() : new JdkLoggerFactory();

    private LoggingDefaults() {}

    private static boolean isSlf4jInUse() {
        try {
            return !(LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory);
        } catch (LinkageError | RuntimeException e) { // missing, or it cannot be initialized
            return false;
        }
    }
}
