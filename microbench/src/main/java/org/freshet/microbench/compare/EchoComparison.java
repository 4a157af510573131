package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.LoadGenerator.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/** Messages go to the server and come back: the price of one, in processor time, system calls and latency. */
final class EchoComparison implements Comparison {
    private static final long SEED = 20_131_124;

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

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String question() {
        return "what does a message cost that comes in and goes back?";
    }

    @Override
    public List<Option> options() {
        return List.of(
                new Option("peers", Peer.ids(List.of(Peer.values())), "who runs; ratios are to the first"),
                new Option("connections", "64", "connections, or several: 1,64,1000"),
                new Option("size", "64", "bytes a message, or several: 64,1024,16384"),
                new Option("depth", "1", "messages in flight on a connection, or several: 1,16"),
                new Option("warmup", "300000", "messages to each new server before the measured ones"),
                new Option("slices", "10", "measurements of each server in a round, in turn with the others"),
                new Option("messages", "50000", "messages of a slice"),
                new Option("seconds", "10", "the most that the warm-up, and each slice, may last"),
                Option.toggle("strace", "also count the servers' system calls, in one more round"));
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        Run run = new Run(
                options.number("warmup", 0, Integer.MAX_VALUE),
                options.number("slices", 1, 10_000),
                options.number("messages", 1, Integer.MAX_VALUE),
                Duration.ofSeconds(options.number("seconds", 1, 3600)));
        boolean strace = options.isOn("strace");
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 100_000)) {
            for (int size : options.numbers("size", 1, 1 << 24)) {
                for (int depth : options.numbers("depth", 1, 10_000)) {
                    cases.addAll(cases(new Load(connections, size, depth, SEED), run, strace));
                }
            }
        }
        return new Plan(cases, options.peers("peers", List.of(Peer.values())));
    }

    private record Run(long warmup, int slices, long messages, Duration limit) {}

    private static List<Plan.Case> cases(Load load, Run run, boolean strace) {
        String label = load.connections() + " x " + load.messageBytes() + " B x " + load.depth();
        Plan.Case timed = new Plan.Case(
                label, METRICS, Integer.MAX_VALUE, (peers, bench, to) -> slices(peers, bench, load, run, to));
        Plan.Round counting = Plan.Round.oneByOne((peer, bench) -> countCalls(peer, bench, load, run));
        Plan.Case counted = new Plan.Case(label + ", system calls", SystemCalls.METRICS, 1, counting);
        return strace ? List.of(timed, counted) : List.of(timed);
    }

    /** All servers are up at once, one is busy at a time: what disturbs the machine for seconds disturbs each alike. */
    private static void slices(List<Peer> peers, Bench bench, Load load, Run run, Plan.Results results)
            throws IOException {
        List<EchoSubject> subjects = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                subjects.add(EchoSubject.start(peer, Role.ECHO, bench, load, run.warmup(), run.limit()));
            }
            for (int slice = 0; slice < run.slices(); slice++) {
                for (EchoSubject subject : subjects) {
                    results.add(subject.peer(), metrics(subject.measure(run.messages(), run.limit())));
                }
            }
        } finally {
            for (EchoSubject subject : subjects) {
                subject.close();
            }
        }
    }

    private static Map<Metric, Double> metrics(EchoSubject.Measured measured) {
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

    private static Map<Metric, Double> countCalls(Peer peer, Bench bench, Load load, Run run) throws IOException {
        try (EchoSubject subject = EchoSubject.start(peer, Role.ECHO, bench, load, run.warmup(), run.limit())) {
            SystemCalls calls = SystemCalls.of(subject.server());
            return calls.perMessage(
                    subject.measure(run.messages(), run.limit()).outcome().messages());
        }
    }
}
