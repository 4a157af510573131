package org.freshet.microbench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the server on one processor, and the client on another one or on the same, with {@code taskset}.
 *
 * <p>If that's not possible, both run anywhere, and {@link #toString} says why.
 */
final class Pinning {
    private static final Path STATUS = Path.of("/proc/self/status");

    private final int serverCpu;
    private final int clientCpu;
    private final String whyNot;

    private Pinning(int serverCpu, int clientCpu, String whyNot) {
        this.serverCpu = serverCpu;
        this.clientCpu = clientCpu;
        this.whyNot = whyNot;
    }

    /** The server's processor in relation to the client's. */
    enum Mode {
        /** Each has its own processor. The default; a fast server may have to wait for the client. */
        APART,
        /** One processor for both: the server always has work. Rates mean little. */
        TOGETHER,
        /** Not pinned. */
        NONE
    }

    /**
     * Pins this process and all its threads to the first processor it may use; servers get the last, or the same one.
     */
    static Pinning ofThisProcess(Mode mode) {
        try {
            List<Integer> cpus = mode == Mode.NONE ? List.of() : allowedCpus();
            if (cpus.size() < (mode == Mode.TOGETHER ? 1 : 2)) {
                return none(mode == Mode.NONE ? "as requested" : "needs two processors, available: " + cpus.size());
            }
            int client = cpus.get(0);
            int server = mode == Mode.APART ? cpus.get(cpus.size() - 1) : client;
            run(
                    "taskset",
                    "-a",
                    "-p",
                    "-c",
                    Integer.toString(client),
                    Long.toString(ProcessHandle.current().pid()));
            return new Pinning(server, client, "");
        } catch (IOException e) {
            return none(e.getMessage());
        }
    }

    private static Pinning none(String whyNot) {
        return new Pinning(-1, -1, whyNot);
    }

    /** Returns the words to put before a server's command. */
    List<String> serverPrefix() {
        return whyNot.isEmpty() ? List.of("taskset", "-c", Integer.toString(serverCpu)) : List.of();
    }

    @Override
    public String toString() {
        return whyNot.isEmpty()
                ? "server on processor " + serverCpu + ", client on processor " + clientCpu
                : "not pinned: " + whyNot;
    }

    private static List<Integer> allowedCpus() throws IOException {
        if (!Files.isReadable(STATUS)) {
            throw new IOException("this system has no " + STATUS);
        }
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .map(line -> parse(line.substring(line.indexOf(':') + 1).trim()))
                    .orElse(List.of());
        }
    }

    /** Returns the members of a list such as {@code 0-3,8}. */
    static List<Integer> parse(String list) {
        List<Integer> cpus = new ArrayList<>();
        for (String range : list.split(",")) {
            String[] ends = range.split("-");
            for (int cpu = Integer.parseInt(ends[0]); cpu <= Integer.parseInt(ends[ends.length - 1]); cpu++) {
                cpus.add(cpu);
            }
        }
        return cpus;
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(command[0] + " failed");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + command[0]);
        }
    }
}
