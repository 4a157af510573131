package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Usage;

/**
 * Measures in short turns: all servers are up at once and one is busy at a time, so that what disturbs the machine for
 * seconds disturbs each alike.
 */
record Slices(long warmup, int slices, long messages, Duration limit) {
    private static final Metric CPU = new Metric("serverCpuMicrosPerMessage", "server CPU us/msg", 2);
    private static final Metric THREADS_CPU = new Metric("serverThreadsCpuMicrosPerMessage", "of it threads", 2);
    private static final Metric SLEEPS = new Metric("serverSleepsPerMessage", "sleeps/msg", 3);
    private static final Metric RATE = new Metric("messagesPerSecond", "msg/s", 0);
    private static final Metric P50 = new Metric("p50Micros", "p50 us", 0);
    private static final Metric P99 = new Metric("p99Micros", "p99 us", 0);
    private static final Metric P999 = new Metric("p999Micros", "p99.9 us", 0);
    private static final Metric RESIDENT = new Metric("serverResidentMiB", "RSS MiB", 0);

    /** What a message costs and how long it takes. */
    static final Gauge<Generator> MESSAGES = new Gauge<>(
            List.of(CPU, THREADS_CPU, SLEEPS, RATE, P50, P99, P999, RESIDENT, Shares.SERVER, Shares.CLIENT),
            Slices::ofMessages);

    /** The options that {@link #of} reads, with the defaults of a comparison. */
    static List<Option> options(int warmup, int slices, int messages, int seconds) {
        return List.of(
                Option.number("warmup", warmup, warmup / 3, "messages to each new server before the measured ones"),
                Option.number("slices", slices, (slices + 1) / 2, "measurements of a server in a round, by turns"),
                Option.number("messages", messages, messages / 2, "messages of a slice"),
                Option.number(
                        "seconds", seconds, Math.min(seconds, 3), "the most that warm-up, and each slice, may last"));
    }

    static Slices of(Options options) throws UsageException {
        return new Slices(
                options.number("warmup", 0, Integer.MAX_VALUE),
                options.number("slices", 1, 10_000),
                options.number("messages", 1, Integer.MAX_VALUE),
                Duration.ofSeconds(options.number("seconds", 1, 3600)));
    }

    /** A case of these slices under {@code load}. */
    <G extends Generator> Plan.Case timed(
            String label, Assignment assignment, Subject.LoadFactory<G> load, Gauge<? super G> gauge) {
        return new Plan.Case(
                label,
                gauge.metrics(),
                Integer.MAX_VALUE,
                (peers, bench, results) -> run(start(peers, assignment, bench, load), gauge, results));
    }

    /** A case of one slice with system calls counted. */
    Plan.Case counted(String label, Assignment assignment, Subject.LoadFactory<? extends Generator> load) {
        return new Plan.Case(
                label + ", system calls",
                SystemCalls.METRICS,
                1,
                Plan.Round.oneByOne((peer, bench) -> countCalls(peer, assignment, bench, load)));
    }

    private <G extends Generator> List<Subject<G>> start(
            List<Peer> peers, Assignment assignment, Bench bench, Subject.LoadFactory<G> load) throws IOException {
        List<Subject<G>> subjects = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                Subject<G> subject = Subject.start(peer, assignment, bench, load, limit);
                subjects.add(subject);
                subject.warmUp(warmup);
            }
            return subjects;
        } catch (IOException | RuntimeException e) {
            closeAll(subjects);
            throw e;
        }
    }

    private <G extends Generator> void run(List<Subject<G>> subjects, Gauge<? super G> gauge, Plan.Results results)
            throws IOException {
        try {
            for (int slice = 0; slice < slices; slice++) {
                for (Subject<G> subject : subjects) {
                    results.add(subject.peer(), gauge.read(subject.measure(messages)));
                }
            }
        } finally {
            closeAll(subjects);
        }
    }

    private static void closeAll(List<? extends Subject<?>> subjects) throws IOException {
        for (Subject<?> subject : subjects) {
            subject.close();
        }
    }

    private static Map<Metric, Double> ofMessages(Outcome outcome, Usage server, Generator generator) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(CPU, server.processCpuNanos() / 1e3 / outcome.messages());
        values.put(THREADS_CPU, server.threadsCpuNanos() / 1e3 / outcome.messages());
        values.put(SLEEPS, (double) server.sleeps() / outcome.messages());
        values.put(RATE, outcome.perSecond());
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e3);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e3);
        values.put(P999, outcome.latencyNanos().getValueAtPercentile(99.9) / 1e3);
        values.put(RESIDENT, server.residentBytes() / 1048576.0);
        values.putAll(Shares.of(outcome, server));
        return values;
    }

    private Map<Metric, Double> countCalls(
            Peer peer, Assignment assignment, Bench bench, Subject.LoadFactory<? extends Generator> load)
            throws IOException {
        try (Subject<?> subject = Subject.start(peer, assignment, bench, load, limit)) {
            subject.warmUp(warmup);
            SystemCalls calls = SystemCalls.of(subject.server());
            return calls.perMessage(subject.measure(messages).outcome().messages());
        }
    }
}
