package org.freshet.seams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.freshet.testing.Await;

/** A JVM of 64 MB that runs an {@link AttackedServer} and exits with the first failed allocation. For one thread. */
final class AttackedJvm implements AutoCloseable {
    /**
     * What the server holds after a garbage collection.
     *
     * @param heapBytes live bytes
     * @param queuedBytes bytes waiting to be sent, on all connections
     * @param descriptors 0 if the system does not report them
     * @param files temporary files
     */
    record State(long heapBytes, long queuedBytes, int descriptors, int threads, int files) {
        /** Returns whether this is no more than before, except for what a JVM does not release. */
        boolean isBackTo(State before) {
            return heapBytes <= before.heapBytes + MORE_HEAP_BYTES
                    && queuedBytes == 0
                    && descriptors <= before.descriptors + MORE_DESCRIPTORS
                    && threads <= before.threads
                    && files <= before.files;
        }
    }

    /** Code that ran for the first time, and buffers that loops keep. */
    private static final long MORE_HEAP_BYTES = 4L * 1024 * 1024;

    /** Descriptors that the JDK opens once, when it needs them. A leak would be thousands. */
    private static final int MORE_DESCRIPTORS = 2;

    final InetSocketAddress address;

    private final Process process;
    private final BufferedReader output;
    private final OutputStream orders;
    private final Path temporary;

    /**
     * @param files the files that the server serves
     * @param temporary where it may put temporary files
     */
    AttackedJvm(Path files, Path temporary) throws IOException {
        this.temporary = temporary;
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Djava.io.tmpdir=" + temporary,
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AttackedServer.class.getName(),
                        files.toString())
                .redirectErrorStream(true)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        orders = process.getOutputStream();
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(readLine()));
    }

    private String readLine() {
        String line = Await.result(CompletableFuture.supplyAsync(this::readNow), "a line of the server");
        if (line == null || !line.matches("[0-9 ]+")) {
            throw new AssertionError("the server said: " + line);
        }
        return line;
    }

    private String readNow() {
        try {
            return output.readLine();
        } catch (IOException e) {
            return e.toString();
        }
    }

    State state() throws IOException {
        orders.write('\n');
        orders.flush();
        String[] figures = readLine().split(" ");
        try (Stream<Path> left = Files.list(temporary)) {
            int files = (int) left.filter(file -> !file.getFileName().toString().startsWith("hsperf"))
                    .count();
            return new State(
                    Long.parseLong(figures[0]),
                    Long.parseLong(figures[1]),
                    Integer.parseInt(figures[2]),
                    Integer.parseInt(figures[3]),
                    files);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        CountDownLatch ended = new CountDownLatch(1);
        process.onExit().thenRun(ended::countDown);
        Await.latch(ended, "the end of the server");
    }
}
