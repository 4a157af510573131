package org.freshet.microbench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.compare.report.Metric;

/**
 * Counts the system calls of a running server with {@code strace -c -f -p}.
 *
 * <p>The server is many times slower meanwhile. Its times mean nothing, and it polls less often than normally, because
 * more work waits for each poll. A call that enters an io_uring counts as a poll, although it also submits reads and
 * writes.
 */
final class SystemCalls {
    private static final Metric READS_WRITES = new Metric("readsAndWritesPerMessage", "reads + writes", 2);
    private static final Metric READS = new Metric("readsPerMessage", "reads", 2);
    private static final Metric WRITES = new Metric("writesPerMessage", "writes", 2);
    private static final Metric POLLS = new Metric("pollsPerMessage", "polls", 2);
    private static final Metric OTHERS = new Metric("otherCallsPerMessage", "others", 2);
    static final List<Metric> METRICS = List.of(READS_WRITES, READS, WRITES, POLLS, OTHERS);

    /** The option for comparisons that can count them. */
    static final Option OPTION = Option.toggle("strace", "also count the servers' system calls, in an extra round");

    private static final Set<String> READ_CALLS = Set.of("read", "readv", "recvfrom", "recvmsg");
    private static final Set<String> WRITE_CALLS = Set.of("write", "writev", "sendto", "sendmsg", "sendfile");
    private static final Set<String> POLL_CALLS =
            Set.of("epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "io_uring_enter");
    private static final int MAX_WAIT_SECONDS = 20;

    private final Process strace;
    private final BufferedReader output;

    private SystemCalls(Process strace) {
        this.strace = strace;
        this.output = new BufferedReader(new InputStreamReader(strace.getInputStream()));
    }

    /** Starts counting; returns when strace is attached. */
    static SystemCalls of(ServerProcess server) throws IOException {
        List<String> command = List.of("strace", "-c", "-f", "-p", Long.toString(server.pid()));
        SystemCalls calls = new SystemCalls(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        String line = calls.output.readLine();
        if (line == null || !line.contains("attached")) {
            calls.strace.destroyForcibly();
            throw new IOException("strace: " + line);
        }
        return calls;
    }

    /** Stops counting and divides by {@code messages}. */
    Map<Metric, Double> perMessage(long messages) throws IOException {
        // The handle ends it without closing the stream, unlike the process.
        strace.toHandle().destroy();
        Map<String, Long> counts = new HashMap<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            count(line, counts);
        }
        awaitEnd();
        double reads = sum(counts, READ_CALLS);
        double writes = sum(counts, WRITE_CALLS);
        double polls = sum(counts, POLL_CALLS);
        double all = sum(counts, counts.keySet());
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(READS_WRITES, (reads + writes) / messages);
        values.put(READS, reads / messages);
        values.put(WRITES, writes / messages);
        values.put(POLLS, polls / messages);
        values.put(OTHERS, (all - reads - writes - polls) / messages);
        return values;
    }

    /** Parses a row of strace's table: percent, seconds, microseconds per call, calls, errors if any, name. */
    static void count(String line, Map<String, Long> counts) {
        String[] words = line.trim().split("\\s+");
        boolean row = words.length >= 5 && words[0].matches("[\\d.]+") && words[3].matches("\\d+");
        String name = words[words.length - 1];
        if (row && !name.equals("total")) {
            counts.merge(name, Long.parseLong(words[3]), Long::sum);
        }
    }

    private static double sum(Map<String, Long> counts, Set<String> names) {
        return names.stream().mapToLong(name -> counts.getOrDefault(name, 0L)).sum();
    }

    private void awaitEnd() throws IOException {
        try {
            if (!strace.waitFor(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                strace.destroyForcibly();
                throw new IOException("strace did not end within " + MAX_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            strace.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for strace");
        }
    }
}
