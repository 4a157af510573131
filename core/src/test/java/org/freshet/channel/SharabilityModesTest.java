package org.freshet.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.Test;

/** The modes are chosen when the JVM starts, so each has a JVM of its own here. */
class SharabilityModesTest {
    /** Puts each of two handlers, of different classes, into three pipelines, and prints what came of it. */
    static final class Migrating {
        private Migrating() {}

        public static void main(String[] arguments) {
            try (CapturedLog log = CapturedLog.start()) {
                ChannelHandler marked = new SimpleChannelHandler();
                ChannelHandler direct = new SharabilityTest.Direct();
                List<PaperChannel> channels = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    channels.add(connect(marked, direct));
                }
                long connected = channels.stream().filter(PaperChannel::isOpen).count();
                System.out.println("connected " + connected);
                log.messages().forEach(line -> System.out.println(line.level() + " " + line.text()));
            }
        }

        private static PaperChannel connect(ChannelHandler marked, ChannelHandler direct) {
            try {
                return new PaperChannel(marked, direct);
            } catch (ChannelPipelineException e) {
                PaperChannel refused = new PaperChannel();
                refused.closeNow();
                return refused;
            }
        }
    }

    @Test
    void shouldRefuseByDefault() throws Exception {
        assertEquals(List.of("connected 1"), run());
    }

    @Test
    void shouldWarnOnceForEachClass() throws Exception {
        List<String> lines = run("-Dorg.freshet.sharability=warn");
        assertEquals("connected 3", lines.get(0));
        assertEquals(3, lines.size(), lines::toString);
        assertTrue(lines.get(1).startsWith("WARN handler " + SimpleChannelHandler.class.getName()), lines.get(1));
        assertTrue(lines.get(2).startsWith("WARN handler " + SharabilityTest.Direct.class.getName()), lines.get(2));
    }

    @Test
    void shouldKeepSilentWhenOff() throws Exception {
        assertEquals(List.of("connected 3"), run("-Dorg.freshet.sharability=off"));
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
            assertTrue(process.waitFor(40, TimeUnit.SECONDS), "the JVM should end");
            assertEquals(0, process.exitValue(), output);
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
