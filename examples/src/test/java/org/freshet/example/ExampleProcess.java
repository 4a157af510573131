package org.freshet.example;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An example in a separate JVM, because examples exit theirs. Belongs to the test's thread; closing kills it if it is
 * still running.
 */
final class ExampleProcess implements AutoCloseable {
    private static final int MAX_WAIT_SECONDS = 30;

    private final String name;
    private final Process process;

    /** Its output, from both streams; an empty element marks the end. */
    private final BlockingQueue<Optional<String>> output = new LinkedBlockingQueue<>();

    private final List<String> seen = new ArrayList<>();

    /** @param mainClass below {@code org.freshet.example} */
    ExampleProcess(String name, String mainClass, List<String> arguments) throws IOException {
        this.name = name;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // for a fast start
                "-XX:+UseSerialGC",
                "-Dstdout.encoding=UTF-8",
                "-Dfile.encoding=UTF-8",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "org.freshet.example." + mainClass));
        command.addAll(arguments);
        process = new ProcessBuilder(command)
                .directory(new File(System.getProperty("java.io.tmpdir")))
                .redirectErrorStream(true)
                .start();
        Thread reader = new Thread(this::readOutput, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void readOutput() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(Optional.of(line));
            }
        } catch (IOException e) {
            output.add(Optional.of("cannot read the output: " + e)); // this happens when the process is killed
        }
        output.add(Optional.empty());
    }

    void type(String text) throws IOException {
        try (OutputStream in = process.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Waits for a line that contains the pattern. */
    Matcher awaitLine(String pattern) throws InterruptedException {
        Pattern compiled = Pattern.compile(pattern);
        for (Optional<String> line = nextLine(); line.isPresent(); line = nextLine()) {
            Matcher found = compiled.matcher(line.get());
            if (found.find()) {
                return found;
            }
        }
        return fail(name + " ended without a line like " + pattern + seen());
    }

    private Optional<String> nextLine() throws InterruptedException {
        Optional<String> line = output.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
            fail(name + " printed nothing for " + MAX_WAIT_SECONDS + " s" + seen());
        }
        line.ifPresent(seen::add);
        return line;
    }

    /** Waits for its end and returns the exit code. */
    int awaitEnd() throws InterruptedException {
        while (nextLine().isPresent()) {
            // nextLine keeps all lines
        }
        if (!process.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
            fail(name + " has closed its output and keeps running" + seen());
        }
        return process.exitValue();
    }

    /** Its output so far, for messages. */
    String seen() {
        return "; it printed:\n" + String.join("\n", seen);
    }

    int lineCount() {
        return seen.size();
    }

    String lastLine() {
        return seen.isEmpty() ? "" : seen.get(seen.size() - 1);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
