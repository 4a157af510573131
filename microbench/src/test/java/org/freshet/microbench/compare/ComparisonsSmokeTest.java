package org.freshet.microbench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.microbench.compare.server.Peer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each comparison runs once, tiny, with real processes. The load verifies every byte and fails the run otherwise; here the
 * output is checked to be complete. Its figures mean nothing and are not looked at.
 */
class ComparisonsSmokeTest {
    @TempDir
    Path out;

    @Test
    void shouldReportEveryPeerAndCaseOfEcho() throws Exception {
        String json = run(
                "echo",
                "--connections",
                "3",
                "--size",
                "1,70000",
                "--depth",
                "2",
                "--warmup",
                "50",
                "--slices",
                "2",
                "--messages",
                "60");
        for (String text : List.of("3 x 1 B x 2", "3 x 70000 B x 2", "serverCpuMicrosPerMessage", "p99Micros")) {
            assertTrue(json.contains(text), () -> text + " in " + json);
        }
    }

    @Test
    void shouldReportEveryPeerOfIdle() throws Exception {
        String json = run("idle", "--connections", "20");
        assertTrue(json.contains("liveHeapBytesPerConnection"), json);
    }

    @Test
    void shouldRefuseWrongCommandLinesInOneLine() {
        assertRefused("no such comparison: foo; there are ", "foo");
        assertRefused("unknown option: --foo", "echo", "--foo");
        assertRefused("--depth needs a value", "echo", "--depth");
        assertRefused("--depth takes 1 to 10000: 0", "echo", "--depth", "0");
        assertRefused("--size takes 1 to 16777216: x", "echo", "--size", "64,x");
        assertRefused(
                "--peers takes each of " + Peer.ids(List.of(Peer.values())) + " once: bare",
                "echo",
                "--peers",
                "bare,bare");
        assertRefused("--pin takes one of [apart, together, none]: x", "echo", "--pin", "x");
        assertRefused(
                "--connections 1000000 needs more descriptors than ulimit -n allows: ",
                "idle",
                "--connections",
                "1000000");
    }

    /** Runs a comparison and returns its JSON, after checking what must hold of any. */
    private String run(String name, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(name, "--rounds", "1", "--heap", "64", "--pin", "none"));
        arguments.addAll(List.of("--out", out.toString()));
        arguments.addAll(Arrays.asList(options));
        ByteArrayOutputStream progress = new ByteArrayOutputStream();
        ByteArrayOutputStream tables = new ByteArrayOutputStream();
        Main.run(arguments, new Progress(new PrintStream(progress, true), true), new PrintStream(tables, true));
        assertTrue(tables.toString().contains("ratio"), tables::toString);
        assertTrue(progress.toString().contains("round 1 of 1, " + Peer.BARE.label()), progress::toString);
        byte[] plot = Files.readAllBytes(out.resolve(name + ".png"));
        assertEquals("PNG", new String(plot, 1, 3, java.nio.charset.StandardCharsets.US_ASCII));
        String json = Files.readString(out.resolve(name + ".json"));
        for (Peer peer : Peer.values()) {
            assertTrue(json.contains('"' + peer.id() + '"'), () -> peer + " in " + json);
        }
        return json;
    }

    private static void assertRefused(String message, String... arguments) {
        Progress progress = new Progress(System.err, false);
        var refusal = assertThrows(UsageException.class, () -> Main.run(List.of(arguments), progress, System.out));
        assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
    }
}
