package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/**
 * Measures the price of messages in short turns: all servers are up at once and one is busy at a time, so that what
 * disturbs the machine for seconds disturbs each alike.
 */
record Slices(Role role, long warmup, int slices, long messages, Duration limit) {
    private static final Metric CPU = new Metric("serverCpuMicrosPerMessage", "server CPU us/msg", 2);
    private static final Metric THREADS_CPU = new Metric("serverThreadsCpuMicrosPerMessage", "of it threads", 2);
    private static final Metric SLEEPS = new Metric("serverSleepsPerMessage", "sleeps/msg", 3);
    private static final Metric RATE = new Metric("messagesPerSecond", "msg/s", 0);
    private static final Metric P50 = new Metric("p50Micros", "p50 us", 0);
    private static final Metric P99 = new Metric("p99Micros", "p99 us", 0);
    private static final Metric P999 = new Metric("p999Micros", "p99.9 us", 0);
    private static final Metric RESIDENT = new Metric("serverResidentMiB", "RSS MiB", 0);
    private static final Metric CLIENT = new Metric("clientCpuShare", "client CPU share", 2);
    private static final List<Metric> METRICS =
            List.of(CPU, THREADS_CPU, SLEEPS, RATE, P50, P99, P999, RESIDENT, CLIENT);

    /** The options that {@link #of} reads. */
    static List<Option> options(int warmup, int slices, int messages) {
        return List.of(
                new Option("warmup", Integer.toString(warmup), "messages to each new server before the measured ones"),
                new Option("slices", Integer.toString(slices), "measurements of each server in a round, by turns"),
                new Option("messages", Integer.toString(messages), "messages of a slice"),
                new Option("seconds", "10", "the most that the warm-up, and each slice, may last"));
    }

    static Slices of(Role role, Options options) throws UsageException {
        return new Slices(
                role,
                options.number("warmup", 0, Integer.MAX_VALUE),
                options.number("slices", 1, 10_000),
                options.number("messages", 1, Integer.MAX_VALUE),
                Duration.ofSeconds(options.number("seconds", 1, 3600)));
    }

    /** A case of these slices under {@code load}. */
    Plan.Case timed(String label, Subject.LoadFactory load) {
        return new Plan.Case(
                label, METRICS, Integer.MAX_VALUE, (peers, bench, results) -> run(peers, bench, load, results));
    }

    /** A case of one slice with system calls counted. */
    Plan.Case counted(String label, Subject.LoadFactory load) {
        return new Plan.Case(
                label + ", system calls",
                SystemCalls.METRICS,
                1,
                Plan.Round.oneByOne((peer, bench) -> countCalls(peer, bench, load)));
    }

    private void run(List<Peer> peers, Bench bench, Subject.LoadFactory load, Plan.Results results) throws IOException {
        List<Subject> subjects = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                Subject subject = Subject.start(peer, role, bench, load, limit);
                subjects.add(subject);
                subject.warmUp(warmup);
            }
            for (int slice = 0; slice < slices; slice++) {
                for (Subject subject : subjects) {
                    results.add(subject.peer(), metrics(subject.measure(messages)));
                }
            }
        } finally {
            for (Subject subject : subjects) {
                subject.close();
            }
        }
    }

    private static Map<Metric, Double> metrics(Subject.Measured measured) {
        Outcome outcome = measured.outcome();
        Usage server = measured.server();
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(CPU, server.processCpuNanos() / 1e3 / outcome.messages());
        values.put(THREADS_CPU, server.threadsCpuNanos() / 1e3 / outcome.messages());
        values.put(SLEEPS, (double) server.sleeps() / outcome.messages());
        values.put(RATE, outcome.perSecond());
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e3);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e3);
        values.put(P999, outcome.latencyNanos().getValueAtPercentile(99.9) / 1e3);
        values.put(RESIDENT, server.residentBytes() / 1048576.0);
        values.put(CLIENT, outcome.ownCpuShare());
        return values;
    }

    private Map<Metric, Double> countCalls(Peer peer, Bench bench, Subject.LoadFactory load) throws IOException {
        try (Subject subject = Subject.start(peer, role, bench, load, limit)) {
            subject.warmUp(warmup);
            SystemCalls calls = SystemCalls.of(subject.server());
            return calls.perMessage(subject.measure(messages).outcome().messages());
        }
    }
}
