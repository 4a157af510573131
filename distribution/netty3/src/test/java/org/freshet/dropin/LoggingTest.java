package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.spi.LoggingEvent;
import org.jboss.netty.logging.CommonsLoggerFactory;
import org.jboss.netty.logging.InternalLogger;
import org.jboss.netty.logging.InternalLoggerFactory;
import org.jboss.netty.logging.JBossLoggerFactory;
import org.jboss.netty.logging.Log4JLoggerFactory;
import org.junit.jupiter.api.Test;

/** Which logging library receives the messages: Netty 3 used the JDK's by default. */
class LoggingTest {
    private static final String SLF4J = "Slf4JLoggerFactory";
    private static final String JDK = "JdkLoggerFactory";

    @Test
    void shouldUseTheJdksLoggingWithoutSlf4j() throws Exception {
        assertEquals(JDK, defaultFactoryWith());
    }

    @Test
    void shouldUseEitherSlf4jApi() throws Exception {
        assertEquals(SLF4J, defaultFactoryWith("slf4j-api-1", "slf4j-jdk14-1"));
        assertEquals(SLF4J, defaultFactoryWith("slf4j-api-2", "slf4j-jdk14-2"));
    }

    private static String defaultFactoryWith(String... artifacts) throws Exception {
        List<Path> jars = new ArrayList<>(List.of(DropIn.JAR));
        for (String artifact : artifacts) {
            jars.add(DropIn.peer(artifact));
        }
        try (URLClassLoader loader = DropIn.loaderOf(jars.toArray(Path[]::new))) {
            Class<?> factories = loader.loadClass("org.jboss.netty.logging.InternalLoggerFactory");
            Object factory = factories.getMethod("getDefaultFactory").invoke(null);
            Object logger = factories.getMethod("newInstance", String.class).invoke(factory, "a.name");
            loader.loadClass("org.jboss.netty.logging.InternalLogger")
                    .getMethod("debug", String.class)
                    .invoke(logger, "the library is linked");
            return factory.getClass().getSimpleName();
        }
    }

    @Test
    void shouldWriteToLog4j() {
        List<String> written = new ArrayList<>();
        org.apache.log4j.Logger target = org.apache.log4j.Logger.getLogger("to.log4j");
        target.setLevel(org.apache.log4j.Level.INFO);
        target.setAdditivity(false);
        target.addAppender(new AppenderSkeleton() {
            @Override
            protected void append(LoggingEvent event) {
                written.add(event.getLevel() + " " + event.getMessage() + " " + event.getThrowableInformation());
            }

            @Override
            public void close() {}

            @Override
            public boolean requiresLayout() {
                return false;
            }
        });
        writeAllLevels(new Log4JLoggerFactory().newInstance("to.log4j"));
        assertEquals(List.of("INFO b null", "WARN c null", "ERROR d null"), written);
    }

    @Test
    void shouldWriteToCommonsLogging() {
        assertEquals(List.of("INFO b", "WARNING c", "SEVERE d"), passedOnToTheJdk(new CommonsLoggerFactory()));
    }

    @Test
    void shouldWriteToJBossLogging() {
        assertEquals(List.of("INFO b", "WARN c", "ERROR d"), passedOnToTheJdk(new JBossLoggerFactory()));
    }

    private static List<String> passedOnToTheJdk(InternalLoggerFactory factory) {
        String name = factory.getClass().getName();
        try (JdkLog log = new JdkLog(name)) {
            writeAllLevels(factory.newInstance(name));
            return log.records();
        }
    }

    private static void writeAllLevels(InternalLogger logger) {
        logger.debug("a");
        logger.info("b");
        logger.warn("c");
        logger.error("d");
    }
}
