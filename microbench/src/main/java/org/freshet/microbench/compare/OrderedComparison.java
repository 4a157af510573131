package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.load.PacedLoad;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Way;

/**
 * One connection sends more slow requests than one thread can serve; then ten connections send fewer. Compares the
 * number of working threads, the throughput and the order of the answers.
 */
final class OrderedComparison implements Comparison {
    private static final Duration NO_LIMIT = Duration.ofDays(1);

    private static final Metric RATE = new Metric("answersPerSecond", "answers/s", 1);
    private static final Metric IN_ORDER = new Metric("inOrder", "in order (1 = yes)", 0);
    private static final Metric OF_CUSTOMERS = new Metric("inOrderOfCustomers", "by customer", 0);
    private static final Metric P50 = new Metric("p50Millis", "p50 ms", 0);
    private static final Metric P99 = new Metric("p99Millis", "p99 ms", 0);
    private static final Metric THREADS = new Metric("threadsThatWorked", "threads that worked", 0);
    private static final List<Metric> METRICS = List.of(RATE, THREADS, IN_ORDER, OF_CUSTOMERS, P50, P99);

    /**
     * A warm-up is this many times as long as the longest request, so that the number of requests in progress has
     * reached its maximum.
     */
    private static final double WARMUPS = 1.5;

    @Override
    public String name() {
        return "ordered";
    }

    @Override
    public String question() {
        return "how many slow requests are answered, and in which order, by the way to run the handler?";
    }

    @Override
    public List<Option> options() {
        String ways = Way.able().stream().map(Way::id).collect(Collectors.joining(","));
        return List.of(
                Options.peersOption(Role.ORDERED),
                new Option("ways", ways, "ways to run the blocking handler; each with the peers that have it"),
                new Option(
                        "connections",
                        "1,10",
                        "connections that send in rotation; one block of results for each number"),
                new Option("rate", "100,1", "requests per second on each connection, one number for each block"),
                Option.number("block", 1000, 500, "upper limit for a request's blocking time, milliseconds"),
                Option.number(
                        "seconds",
                        5,
                        2,
                        "how long each way is measured, after a warm-up of one and a half times block"));
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Integer> connections = options.numbers("connections", 1, 10_000);
        List<Integer> rates = options.numbers("rate", 1, 100_000);
        if (connections.size() != rates.size()) {
            throw new UsageException(
                    "--connections and --rate need equally many values: " + connections + ", " + rates);
        }
        int blockMillis = options.number("block", 1, 60_000);
        int seconds = options.number("seconds", 1, 3600);
        List<Peer> peers = options.peers(Role.ORDERED);
        List<Plan.Case> cases = new ArrayList<>();
        for (int i = 0; i < rates.size(); i++) {
            Options.requireDescriptors("connections", connections.get(i) * peers.size());
            Workload workload = new Workload(connections.get(i), rates.get(i), blockMillis, seconds);
            for (String word : options.words("ways")) {
                Way way = way(word);
                Plan.Round round = Plan.Round.together((peer, bench) -> workload.measure(way, peer, bench));
                if (peers.stream().anyMatch(way::isOf)) {
                    cases.add(new Plan.Case(workload.label(way), METRICS, Integer.MAX_VALUE, round).only(way::isOf));
                }
            }
        }
        return new Plan(cases, peers);
    }

    private static Way way(String word) throws UsageException {
        Optional<Way> found =
                Way.able().stream().filter(way -> way.id().equals(word)).findFirst();
        return found.orElseThrow(() -> new UsageException(
                "--ways takes some of " + Way.able().stream().map(Way::id).toList() + ": " + word));
    }

    /** @param rate requests per second on each connection */
    private record Workload(int connections, int rate, int blockMillis, int seconds) {
        String label(Way way) {
            String sent = rate == 1 ? "1 request per second" : rate + " requests per second";
            return (connections == 1 ? "one connection, " + sent : connections + " connections, " + sent + " each")
                    + ": " + way.label();
        }

        Map<Metric, Double> measure(Way way, Peer peer, Bench bench) throws IOException {
            Assignment assignment =
                    Assignment.of(Role.ORDERED).with("way", way.id()).with("block", blockMillis);
            int requestsPerSecond = connections * rate;
            Subject.LoadFactory<PacedLoad> load = port -> new PacedLoad(port, requestsPerSecond, connections);
            try (Subject<PacedLoad> subject = Subject.start(peer, assignment, bench, load)) {
                subject.warmUp((long) (requestsPerSecond * WARMUPS * blockMillis / 1000) + 1, NO_LIMIT);
                PerSecond watcher = new PerSecond(label(way) + ", " + peer.label(), bench.progress());
                return values(subject.measure((long) requestsPerSecond * seconds, NO_LIMIT, watcher));
            }
        }
    }

    /** Shows the rate of each past second. */
    private static final class PerSecond implements LongConsumer {
        private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final String whose;
        private final Progress progress;
        private long sinceNanos = System.nanoTime();
        private long before;

        PerSecond(String whose, Progress progress) {
            this.whose = whose;
            this.progress = progress;
        }

        @Override
        public void accept(long answers) {
            long elapsedNanos = System.nanoTime() - sinceNanos;
            if (elapsedNanos >= SECOND_NANOS) {
                progress.note(whose + ": " + (answers - before) * SECOND_NANOS / elapsedNanos + " answers/s");
                before = answers;
                sinceNanos += elapsedNanos;
            }
        }
    }

    private static Map<Metric, Double> values(Subject.Measured<PacedLoad> measured) {
        Outcome outcome = measured.outcome();
        PacedLoad load = measured.generator();
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(RATE, outcome.perSecond());
        values.put(THREADS, (double) load.threads());
        values.put(IN_ORDER, load.isInOrder() ? 1.0 : 0.0);
        values.put(OF_CUSTOMERS, load.isInOrderOfCustomers() ? 1.0 : 0.0);
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e6);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e6);
        return values;
    }
}
