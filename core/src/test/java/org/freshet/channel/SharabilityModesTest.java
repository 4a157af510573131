package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.UnmarkedHandlers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** The mode is chosen when the JVM starts, so each test runs its own JVM. */
class SharabilityModesTest {
    /** Puts each of three handlers into three pipelines, and prints the outcome. */
    static final class Migrating {
        private Migrating() {}

        public static void main(String[] arguments) {
            try (CapturedLog log = CapturedLog.start()) {
                print("own", new SharabilityTest.Stateful());
                print("extending", new UnmarkedHandlers.Extending());
                print("implementing", new UnmarkedHandlers.Implementing());
                log.messages().forEach(line -> System.out.println(line.level() + " " + line.text()));
            }
        }

        private static void print(String label, ChannelHandler handler) {
            List<PaperChannel> channels = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                channels.add(connect(handler));
            }
            System.out.println(
                    label + " " + channels.stream().filter(PaperChannel::isOpen).count());
        }

        private static PaperChannel connect(ChannelHandler handler) {
            try {
                return new PaperChannel(handler);
            } catch (ChannelPipelineException e) {
                PaperChannel refused = new PaperChannel();
                refused.closeNow();
                return refused;
            }
        }
    }

    @Test
    void shouldByDefaultRefuseCertainFaultsAndWarnAboutTheRest() throws Exception {
        List<String> lines = run();
        assertEquals(List.of("own 1", "extending 3", "implementing 3"), lines.subList(0, 3));
        assertEquals(5, lines.size(), lines::toString);
        assertWarning(UnmarkedHandlers.Extending.class, lines.get(3));
        assertWarning(UnmarkedHandlers.Implementing.class, lines.get(4));
    }

    @Test
    void shouldRefuseAllWhenEnforced() throws Exception {
        assertEquals(List.of("own 1", "extending 1", "implementing 1"), run("-Dorg.freshet.sharability=enforce"));
    }

    @Test
    void shouldWarnOncePerClassInModeWarn() throws Exception {
        List<String> lines = run("-Dorg.freshet.sharability=warn");
        assertEquals(List.of("own 3", "extending 3", "implementing 3"), lines.subList(0, 3));
        assertEquals(6, lines.size(), lines::toString);
        assertWarning(SharabilityTest.Stateful.class, lines.get(3));
        assertWarning(UnmarkedHandlers.Extending.class, lines.get(4));
        assertWarning(UnmarkedHandlers.Implementing.class, lines.get(5));
    }

    @Test
    void shouldKeepSilentWhenOff() throws Exception {
        assertEquals(List.of("own 3", "extending 3", "implementing 3"), run("-Dorg.freshet.sharability=off"));
    }

    private static void assertWarning(Class<?> type, String line) {
        assertTrue(line.startsWith("WARN handler " + type.getName() + "@"), line);
    }

    private static List<String> run(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(
                List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
        command.add(Migrating.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(40, TimeUnit.SECONDS), "the JVM should exit");
            assertEquals(0, process.exitValue(), output);
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
