package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Contender;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Usage;

/**
 * Measures in short slices: all servers are running and one is loaded at a time, so a disturbance of some seconds
 * affects all of them alike.
 */
record Slices(Duration warmup, int slices, Duration length) {
    /** Time ends a slice, not a count: a count suitable for slow messages would measure fast ones only for a moment. */
    private static final long ANY_NUMBER = Long.MAX_VALUE / 2; // a load may add to it

    private static final Metric CPU = new Metric("serverCpuMicrosPerMessage", "server CPU us/msg", 2);
    private static final Metric THREADS_CPU = new Metric("serverThreadsCpuMicrosPerMessage", "of it threads", 2);
    private static final Metric SLEEPS = new Metric("serverSleepsPerMessage", "sleeps/msg", 3);
    private static final Metric ALLOCATED = new Metric("serverAllocatedBytesPerMessage", "allocated B/msg", 0);
    private static final Metric RATE = new Metric("messagesPerSecond", "msg/s", 0);
    private static final Metric P50 = new Metric("p50Micros", "p50 us", 0);
    private static final Metric P99 = new Metric("p99Micros", "p99 us", 0);
    private static final Metric P999 = new Metric("p999Micros", "p99.9 us", 0);
    private static final Metric RESIDENT = new Metric("serverResidentMiB", "RSS MiB", 0);

    /** The cost and the latency of a message. */
    static final Gauge<Generator> MESSAGES = new Gauge<>(
            List.of(CPU, THREADS_CPU, SLEEPS, ALLOCATED, RATE, P50, P99, P999, RESIDENT, Shares.SERVER, Shares.CLIENT),
            Slices::ofMessages);

    /** The options read by {@link #of}, with a comparison's defaults, in milliseconds. */
    static List<Option> options(int warmup, int slices, int length) {
        return List.of(
                Option.number("warmup", warmup, warmup / 2, "milliseconds of warm-up for each new server"),
                Option.number(
                        "slices",
                        slices,
                        (slices + 1) / 2,
                        "measurements of each server per round, alternating between servers"),
                Option.number("millis", length, length * 3 / 5, "minimum milliseconds of each"));
    }

    static Slices of(Options options) throws UsageException {
        return new Slices(
                Duration.ofMillis(options.number("warmup", 0, 3_600_000)),
                options.number("slices", 1, 10_000),
                Duration.ofMillis(options.number("millis", 1, 3_600_000)));
    }

    /** Returns a case with these slices under {@code load}. */
    <G extends Generator> Plan.Case timed(
            String label, Assignment assignment, Subject.LoadFactory<G> load, Gauge<? super G> gauge) {
        return new Plan.Case(
                label,
                gauge.metrics(),
                Integer.MAX_VALUE,
                (peers, bench, results) -> run(start(peers, assignment, bench, load), gauge, results));
    }

    /** Returns a case with one slice in which system calls are counted. */
    Plan.Case counted(String label, Assignment assignment, Subject.LoadFactory<? extends Generator> load) {
        return new Plan.Case(
                label + ", system calls",
                SystemCalls.METRICS,
                1,
                Plan.Round.oneByOne((peer, bench) -> countCalls(peer, assignment, bench, load)));
    }

    /** One server in one setting, to be measured in rotation with others. */
    record Contestant<G extends Generator>(Contender contender, Assignment assignment, Subject.LoadFactory<G> load) {}

    /** Returns a case with only {@code peer}, whose rows are {@code contestants}, alternating. */
    <G extends Generator> Plan.Case rotating(
            String label, Peer peer, List<Contestant<G>> contestants, Gauge<? super G> gauge) {
        return new Plan.Case(label, gauge.metrics(), Integer.MAX_VALUE, (peers, bench, results) -> {
            Map<Contender, Subject<G>> subjects = new LinkedHashMap<>();
            try {
                for (Contestant<G> each : contestants) {
                    Subject<G> subject = Subject.start(peer, each.assignment(), bench, each.load());
                    subjects.put(each.contender(), subject);
                    subject.warmUp(ANY_NUMBER, warmup);
                }
                List<Map.Entry<Contender, Subject<G>>> order = new ArrayList<>(subjects.entrySet());
                for (int slice = 0; slice < slices; slice++) {
                    for (Map.Entry<Contender, Subject<G>> each : order) {
                        results.add(each.getKey(), gauge.read(each.getValue().measure(ANY_NUMBER, length)));
                    }
                    Collections.reverse(order); // so that slow changes favour none
                }
            } finally {
                closeAll(List.copyOf(subjects.values()));
            }
        });
    }

    private <G extends Generator> List<Subject<G>> start(
            List<Peer> peers, Assignment assignment, Bench bench, Subject.LoadFactory<G> load) throws IOException {
        List<Subject<G>> subjects = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                Subject<G> subject = Subject.start(peer, assignment, bench, load);
                subjects.add(subject);
                subject.warmUp(ANY_NUMBER, warmup);
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
                    results.add(subject.peer(), gauge.read(subject.measure(ANY_NUMBER, length)));
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
        values.put(ALLOCATED, (double) server.allocatedBytes() / outcome.messages());
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
        try (Subject<?> subject = Subject.start(peer, assignment, bench, load)) {
            subject.warmUp(ANY_NUMBER, warmup);
            SystemCalls calls = SystemCalls.of(subject.server());
            return calls.perMessage(
                    subject.measure(ANY_NUMBER, length).outcome().messages());
        }
    }
}
