package org.freshet.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class InternalLoggerFactoryTest {
    private final InternalLoggerFactory before = InternalLoggerFactory.getDefaultFactory();
    private final List<LogRecord> records = new ArrayList<>();
    private final Logger jdk = Logger.getLogger("freshet.test");
    private final Handler recorder = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            records.add(logged);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        jdk.setUseParentHandlers(false);
        jdk.setLevel(Level.ALL);
        jdk.addHandler(recorder);
    }

    @AfterEach
    void restore() {
        jdk.removeHandler(recorder);
        InternalLoggerFactory.setDefaultFactory(before);
    }

    @Test
    void shouldUseSlf4JByDefault() {
        assertInstanceOf(Slf4JLoggerFactory.class, before);
        InternalLogger logger = new Slf4JLoggerFactory().newInstance("freshet.test");
        // slf4j-simple writes INFO and higher levels
        assertFalse(logger.isDebugEnabled());
        assertTrue(logger.isInfoEnabled());
        assertTrue(logger.isWarnEnabled());
        assertTrue(logger.isErrorEnabled());
    }

    @Test
    void shouldRedirectExistingLoggersToTheNewFactory() {
        InternalLogger logger = InternalLoggerFactory.getInstance("freshet.test");
        assertTrue(logger.isInfoEnabled());
        InternalLoggerFactory.setDefaultFactory(new JdkLoggerFactory());
        logger.warn("now to the JDK");
        InternalLoggerFactory.setDefaultFactory(before);
        logger.debug("back again");
        assertEquals(1, records.size());
        assertEquals("now to the JDK", records.get(0).getMessage());
    }

    @Test
    void shouldAskTheFactoryOnceForManyMessages() {
        List<String> asked = new ArrayList<>();
        InternalLoggerFactory.setDefaultFactory(new InternalLoggerFactory() {
            @Override
            public InternalLogger newInstance(String name) {
                asked.add(name);
                return new JdkLoggerFactory().newInstance("freshet.test");
            }
        });
        InternalLogger logger = InternalLoggerFactory.getInstance(InternalLoggerFactoryTest.class);
        logger.info("one");
        logger.info("two");
        assertEquals(List.of(InternalLoggerFactoryTest.class.getName()), asked);
        assertEquals(2, records.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepLevelTextAndCauseOnTheWayToTheJdk(InternalLogLevel level) {
        InternalLoggerFactory.setDefaultFactory(new JdkLoggerFactory());
        InternalLogger logger = InternalLoggerFactory.getInstance("freshet.test");
        Exception cause = new Exception("cause");
        logger.log(level, "100 % {} {0}", cause);
        logger.log(level, "alone");
        Level expected = switch (level) {
            case DEBUG -> Level.FINE;
            case INFO -> Level.INFO;
            case WARN -> Level.WARNING;
            case ERROR -> Level.SEVERE;
        };
        LogRecord first = records.get(0);
        assertEquals(expected, first.getLevel());
        assertEquals("100 % {} {0}", first.getMessage());
        assertSame(cause, first.getThrown());
        assertEquals("freshet.test", first.getSourceClassName());
        assertEquals(expected, records.get(1).getLevel());
        assertNull(records.get(1).getThrown());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnWhichLevelsAreEnabled(InternalLogLevel level) {
        InternalLogger logger = new JdkLoggerFactory().newInstance("freshet.test");
        jdk.setLevel(Level.WARNING);
        assertEquals(level.compareTo(InternalLogLevel.WARN) >= 0, logger.isEnabled(level));
    }

    @Test
    void shouldRefuseNulls() {
        assertThrows(NullPointerException.class, () -> InternalLoggerFactory.setDefaultFactory(null));
        assertThrows(NullPointerException.class, () -> InternalLoggerFactory.getInstance((String) null));
        assertSame(before, InternalLoggerFactory.getDefaultFactory());
    }
}
