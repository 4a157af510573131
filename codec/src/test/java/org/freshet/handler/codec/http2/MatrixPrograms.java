package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.testing.Await;

/**
 * The clients of {@link Http2ClientMatrixTest} that are separate programs. A test is skipped if its program is not
 * installed.
 */
final class MatrixPrograms {
    private MatrixPrograms() {}

    /** A program from the test resources, called with the port and the behaviour. */
    static MatrixClient script(String... command) {
        return (behaviour, port) -> {
            List<String> all = new ArrayList<>(List.of(command));
            all.add(String.valueOf(port));
            all.add(behaviour.argument());
            Process process = start(all);
            process.getOutputStream().close();
            return output(process, command[0]).lines().toList();
        };
    }

    /** Skips the test unless the program exits without an error. */
    static void assumeRuns(String... command) throws Exception {
        Process process = start(List.of(command));
        output(process, command[0]);
        assumeTrue(process.exitValue() == 0, String.join(" ", command) + " fails");
    }

    /**
     * A Go program, compiled once per folder.
     *
     * @param source a file, which needs Go 1.24 and only its standard library
     */
    static String goProgram(Path folder, String source) throws Exception {
        Path program = folder.resolve("program");
        if (!Files.exists(program)) {
            String version = output(start(List.of("go", "env", "GOVERSION")), "go");
            assumeTrue(version.matches("(?s)go1\\.(2[4-9]|[3-9]\\d).*"), "needs Go 1.24: " + version);
            Process build = start(List.of("go", "build", "-o", program.toString(), source));
            assertEquals("", output(build, "the compiler"));
        }
        return program.toString();
    }

    static Process start(List<String> command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, command.get(0) + " is not installed");
            throw new AssertionError(e);
        }
    }

    /** Returns everything it prints. */
    static String output(Process process, String name) throws Exception {
        try {
            String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
            assertTrue(process.waitFor(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), "the end of " + name);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * Curl itself reports nothing, so its answers are stored in the files of a folder. It uses HTTP/2 over TLS, because
     * curl 7.88 can't make a second request on a plaintext connection.
     */
    static final class Curl implements MatrixClient {
        private final Path folder;

        Curl(Path folder) {
            this.folder = folder;
        }

        @Override
        public List<String> run(MatrixBehaviour behaviour, int port) throws Exception {
            String server = "https://localhost:" + port;
            List<String> reports = new ArrayList<>();
            switch (behaviour) {
                case SLOW -> download(server, behaviour.paths(), reports, "-Z", "--limit-rate", "8M");
                case CANCEL -> cancel(server, behaviour.paths(), reports);
                case SMALL -> reports.add(MatrixService.report("/echo", echo(server + "/echo")));
                case DRAIN -> {
                    download(server, behaviour.paths(), reports, "-Z");
                    download(server, List.of(MatrixBehaviour.AFTER), reports);
                }
            }
            return reports;
        }

        private static List<String> command(String... options) {
            List<String> command =
                    new ArrayList<>(List.of("curl", "-sS", "-k", "--no-progress-meter", "--max-time", "30"));
            command.addAll(List.of(options));
            return command;
        }

        private void download(String server, List<String> paths, List<String> reports, String... options)
                throws Exception {
            List<String> command = command(options);
            paths.forEach(path -> save(server, path, command));
            assertEquals("", output(start(command), "curl"));
            for (String path : paths) {
                reports.add(MatrixService.report(path, Files.readAllBytes(file(path))));
            }
        }

        private void save(String server, String path, List<String> command) {
            command.addAll(List.of("-o", file(path).toString(), server + path));
        }

        private Path file(String path) {
            return folder.resolve(path.replace('/', '_'));
        }

        /**
         * Curl cancels an answer that it can't write to a full file, and continues with the next one on the same
         * connection.
         */
        private void cancel(String server, List<String> paths, List<String> reports) throws Exception {
            List<String> all = new ArrayList<>(paths);
            all.add(MatrixBehaviour.AFTER);
            List<String> command = command();
            for (String path : all) {
                if (!path.equals(MatrixBehaviour.AFTER)) {
                    command.addAll(List.of("-o", "/dev/full", server + MatrixBehaviour.CANCELLED));
                }
                save(server, path, command);
            }
            output(start(command), "curl"); // reports that it couldn't write
            for (String path : all) {
                reports.add(MatrixService.report(path, Files.readAllBytes(file(path))));
            }
        }

        /** Curl sends its input as it arrives: the frames of one message, or of a few. */
        private static byte[] echo(String url) throws Exception {
            Process process = start(command("-N", "-X", "POST", "-T", "-", url));
            CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(process.getOutputStream()));
            String echoed = output(process, "curl");
            Await.result(written, "the end of the input");
            return echoed.getBytes(US_ASCII);
        }

        private static void write(OutputStream input) {
            try (input) {
                for (int i = 0; i < MatrixBehaviour.SMALL_MESSAGES; i++) {
                    input.write(MatrixBehaviour.smallMessage(i));
                    input.flush();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
