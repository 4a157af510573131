package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The warnings of a program that has the drop-in jar, with and without Netty 3's jar after it, when it creates its
 * pipelines.
 */
class SecondNettyTest {
    @Test
    void shouldWarnOnceThatBothJarsArePresent() throws Exception {
        List<String> warnings = warningsWith(DropIn.JAR, DropIn.netty3());
        assertEquals(1, warnings.size(), warnings.toString());
        String warning = warnings.get(0);
        assertTrue(warning.contains(DropIn.JAR.toString()), warning);
        assertTrue(warning.contains(DropIn.netty3().toString()), warning);
        assertTrue(warning.contains("exclude io.netty:netty"), warning);
    }

    @Test
    void shouldNotWarnWithoutNetty3() throws Exception {
        assertEquals(List.of(), warningsWith(DropIn.JAR));
    }

    /** Without slf4j, messages go to the JDK's logging. */
    private static List<String> warningsWith(Path... jars) throws Exception {
        try (JdkLog log = new JdkLog("org.jboss.netty");
                URLClassLoader loader = DropIn.loaderOf(jars)) {
            DropIn.makePipeline(loader, handler(loader));
            DropIn.makePipeline(loader, handler(loader));
            return log.records();
        }
    }

    private static Object handler(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass("org.jboss.netty.channel.SimpleChannelHandler")
                .getConstructor()
                .newInstance();
    }
}
