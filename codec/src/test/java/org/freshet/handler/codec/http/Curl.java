package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.testing.Await;

/** The program {@code curl}, which some tests use as a client. */
public final class Curl {
    private Curl() {}

    /** The exit status, and both streams in one. */
    public record Ended(int code, String output) {}

    /** Skips the calling test if it is not installed. */
    public static void require() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("curl", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "curl is not installed");
    }

    /** Ignores the user's configuration; an input of null is empty. */
    public static Ended run(List<String> arguments, Path input) throws IOException {
        List<String> command = new ArrayList<>(List.of("curl", "-q"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input == null ? new File("/dev/null") : input.toFile())
                .start();
        try {
            byte[] output =
                    Await.result(CompletableFuture.supplyAsync(() -> readAll(process)), "the end of " + command);
            return new Ended(process.waitFor(), new String(output, ISO_8859_1));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        } finally {
            process.destroy();
        }
    }

    private static byte[] readAll(Process process) {
        try {
            return process.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
