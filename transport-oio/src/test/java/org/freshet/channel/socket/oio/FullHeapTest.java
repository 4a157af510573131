package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FullHeapTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // each allocation that fails takes a garbage collection first
    void shouldEndAThreadThatBeganWithoutMemory() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullHeapProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        String result =
                said.lines().reduce("", (before, line) -> line); // the JVM may report a thread of its pool first
        assertEquals("ended=true closed=true released=true", result, said);
    }
}
