package org.freshet.channel.socket.nio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.freshet.testing.Await;

/**
 * A separate JVM with limits that runs a main class of the tests. It is asked to exit by the end of its standard input,
 * which also comes when this JVM dies; closing kills it. For one thread.
 */
final class ChildJvm implements AutoCloseable {
    private static final int LIMIT_SECONDS = 30;

    private final Process process;
    private final Thread reader = new Thread(this::readOutput, "output of a child JVM");
    private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    ChildJvm(Class<?> main, int descriptorLimit, String... jvmOptions) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "ulimit -n " + descriptorLimit + " && exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-MaxFDLimit",
                "-XX:TieredStopAtLevel=1",
                "-ea"));
        command.addAll(List.of(jvmOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        reader.setDaemon(true);
        reader.start();
    }

    private void readOutput() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                unread.add(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // ends the reader; the awaited line will not come
        }
    }

    /** Returns the next line that matches; earlier ones are skipped. */
    String awaitLine(Predicate<String> wanted, String awaited) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String line;
        do {
            line = unread.poll(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("timed out waiting for " + awaited + "; the child said " + lines);
            }
        } while (!wanted.test(line));
        return line;
    }

    void say(char command) throws IOException {
        process.getOutputStream().write(command);
        process.getOutputStream().flush();
    }

    /** Asks it to exit and returns its exit value. */
    int end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the child did not exit when asked to; it said " + lines);
        }
        Await.end(reader);
        return process.exitValue();
    }

    /** Returns everything it has printed so far. */
    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Await.end(reader);
    }
}
