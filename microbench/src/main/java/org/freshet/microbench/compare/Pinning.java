package org.freshet.microbench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Keeps the server on one processor, and the client on another one or on the same, with {@code taskset}.
 *
 * <p>If that's not possible, both run anywhere, and {@link #toString} says why.
 */
final class Pinning {
    private static final Path STATUS = Path.of("/proc/self/status");

    /** A list as {@code taskset} has it. */
    private final String serverCpus;

    private final int clientCpu;
    private final String whyNot;

    private Pinning(String serverCpus, int clientCpu, String whyNot) {
        this.serverCpus = serverCpus;
        this.clientCpu = clientCpu;
        this.whyNot = whyNot;
    }

    /** The server's processor in relation to the client's. */
    enum Mode {
        /** Each has its own processor. The default; a fast server may have to wait for the client. */
        APART,
        /** The server has all processors, and the client shares the first: for servers with several loops. */
        ACROSS,
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
            run(
                    "taskset",
                    "-a",
                    "-p",
                    "-c",
                    Integer.toString(client),
                    Long.toString(ProcessHandle.current().pid()));
            return new Pinning(serverCpus(mode, cpus), client, "");
        } catch (IOException e) {
            return none(e.getMessage());
        }
    }

    private static String serverCpus(Mode mode, List<Integer> cpus) {
        return switch (mode) {
            case ACROSS -> cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
            case APART -> String.valueOf(cpus.get(cpus.size() - 1));
            case TOGETHER, NONE -> String.valueOf(cpus.get(0));
        };
    }

    private static Pinning none(String whyNot) {
        return new Pinning("", -1, whyNot);
    }

    /** Returns the words to put before a server's command. */
    List<String> serverPrefix() {
        return whyNot.isEmpty() ? List.of("taskset", "-c", serverCpus) : List.of();
    }

    @Override
    public String toString() {
        return whyNot.isEmpty()
                ? "server on processor" + (serverCpus.contains(",") ? "s " : " ") + serverCpus
                        + ", client on processor " + clientCpu
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
