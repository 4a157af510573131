package org.freshet.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenTelemetry's Java agent finds in the drop-in jar what it expects in Netty 3. See CONTRIBUTING.md for how to run
 * this.
 */
@EnabledIfSystemProperty(named = "freshet.agents", matches = "true")
class OpenTelemetryAgentTest {
    private static final int DEADLINE_SECONDS = 180;

    @Test
    @Timeout(2 * DEADLINE_SECONDS)
    void shouldTraceARequestFromClientToServer(@TempDir Path folder) throws Exception {
        String output = run(folder.resolve("output"));
        Matcher sent = find(output, "server got traceparent 00-(\\w{32})-(\\w{16})-");
        String trace = sent.group(1);
        assertEquals(
                sent.group(2),
                find(output, "'GET' : " + trace + " (\\w{16}) CLIENT").group(1));
        find(output, "'GET' : " + trace + " \\w{16} SERVER .*http.response.status_code=200");
    }

    private static Matcher find(String output, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(output);
        assertTrue(matcher.find(), () -> "no " + regex + " in:\n" + output);
        return matcher;
    }

    /** Runs the exchange in a JVM with the agent, and returns what it prints. */
    private static String run(Path output) throws Exception {
        Path tests = Path.of(TracedExchange.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-javaagent:" + DropIn.peer("opentelemetry-javaagent"),
                        "-Dotel.traces.exporter=console",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-cp",
                        tests + File.pathSeparator + DropIn.JAR,
                        TracedExchange.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertTrue(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS), "the program does not exit");
            String text = Files.readString(output);
            assertEquals(0, process.exitValue(), text);
            return text;
        } finally {
            process.destroyForcibly();
        }
    }
}
