package org.freshet.logging;

import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** Uses slf4j, of any version, if it is there and leads to a logging library; otherwise {@code java.util.logging}, as Netty 3. */
final class LoggingDefaults {
    static final InternalLoggerFactory FACTORY = isSlf4jInUse() ? new Slf4JLoggerFactory() : new JdkLoggerFactory();

    private LoggingDefaults() {}

    private static boolean isSlf4jInUse() {
        try {
            return !(LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory);
        } catch (LinkageError | RuntimeException e) { // not there, or it cannot be initialized
            return false;
        }
    }
}
