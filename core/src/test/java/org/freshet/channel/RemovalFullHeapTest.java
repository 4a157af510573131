package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RemovalFullHeapTest {
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES) // each allocation that fails takes a garbage collection first
    void shouldKeepNoPipelineWhoseHandlerCouldNotBeRemoved() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RemovalsInFullHeap.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        assertEquals("failed=true stuck=0 kept=0", said.strip());
    }
}
