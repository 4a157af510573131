package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.load.PacedLoad;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Way;

/** One connection, or several, send more slow requests than one thread can serve: throughput against order. */
final class OrderedComparison implements Comparison {
    private static final Duration NO_LIMIT = Duration.ofDays(1);

    private static final Metric RATE = new Metric("answersPerSecond", "answers/s", 1);
    private static final Metric IN_ORDER = new Metric("inOrder", "in order (1 = yes)", 0);
    private static final Metric OF_CUSTOMERS = new Metric("inOrderOfCustomers", "by customer", 0);
    private static final Metric P50 = new Metric("p50Millis", "p50 ms", 0);
    private static final Metric P99 = new Metric("p99Millis", "p99 ms", 0);
    private static final List<Metric> METRICS = List.of(RATE, IN_ORDER, OF_CUSTOMERS, P50, P99, Shares.SERVER);

    @Override
    public String name() {
        return "ordered";
    }

    @Override
    public String question() {
        return "how many slow requests of one connection are answered, and in which order, by which way to run the handler?";
    }

    @Override
    public List<Option> options() {
        String ways = Way.able().stream().map(Way::id).collect(Collectors.joining(","));
        return List.of(
                Options.peersOption(Role.ORDERED),
                new Option("ways", ways, "ways to run the handler that blocks; each with the peers that have it"),
                new Option("connections", "1", "connections that send in rotation"),
                new Option("rate", "100", "requests a second, of all connections together"),
                new Option("block", "1000", "milliseconds that a request blocks less than"),
                new Option("requests", "500", "requests that are measured"),
                new Option("warmup", "150", "requests before, more than are in the works at a time"));
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        int connections = options.number("connections", 1, 10_000);
        Options.requireDescriptors("connections", connections);
        Workload workload = new Workload(
                connections,
                options.number("rate", 1, 100_000),
                options.number("block", 1, 60_000),
                options.number("requests", 1, 1_000_000),
                options.number("warmup", 0, 1_000_000));
        List<Peer> peers = options.peers(Role.ORDERED);
        List<Plan.Case> cases = new ArrayList<>();
        for (String word : options.words("ways")) {
            Way way = way(word);
            Plan.Round round = Plan.Round.oneByOne((peer, bench) -> workload.measure(way, peer, bench));
            if (peers.stream().anyMatch(way::isOf)) {
                cases.add(new Plan.Case(way.label(), METRICS, Integer.MAX_VALUE, round).only(way::isOf));
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

    private record Workload(int connections, int requestsPerSecond, int blockMillis, int requests, int warmup) {
        Map<Metric, Double> measure(Way way, Peer peer, Bench bench) throws IOException {
            Assignment assignment =
                    Assignment.of(Role.ORDERED).with("way", way.id()).with("block", blockMillis);
            Subject.LoadFactory<PacedLoad> load = port -> new PacedLoad(port, requestsPerSecond, connections);
            try (Subject<PacedLoad> subject = Subject.start(peer, assignment, bench, load)) {
                subject.warmUp(warmup, NO_LIMIT);
                return values(subject.measure(requests, NO_LIMIT));
            }
        }
    }

    private static Map<Metric, Double> values(Subject.Measured<PacedLoad> measured) {
        Outcome outcome = measured.outcome();
        PacedLoad load = measured.generator();
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(RATE, outcome.perSecond());
        values.put(IN_ORDER, load.isInOrder() ? 1.0 : 0.0);
        values.put(OF_CUSTOMERS, load.isInOrderOfCustomers() ? 1.0 : 0.0);
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e6);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e6);
        values.putAll(Shares.of(outcome, measured.server()));
        return values;
    }
}
