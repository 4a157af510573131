package org.freshet.microbench.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.freshet.microbench.compare.report.Contender;
import org.freshet.microbench.compare.report.Figure;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Peer;

/**
 * The measurements of a comparison: each case with each peer, one after the other, several times.
 *
 * @param figures plots besides the usual one
 */
record Plan(List<Case> cases, List<Peer> peers, List<Figure> figures) {
    Plan(List<Case> cases, List<Peer> peers) {
        this(cases, peers, List.of());
    }

    /**
     * One set of parameters.
     *
     * @param metrics the metrics measured, in the table's order; the peers' ratio is that of the first
     * @param maxRounds further rounds would add no information
     */
    public record Case(String label, List<Metric> metrics, int maxRounds, Round round) {
        /** Returns the same case for only these peers. */
        Case only(Predicate<Peer> peers) {
            return new Case(
                    label,
                    metrics,
                    maxRounds,
                    (all, bench, results) ->
                            round.run(all.stream().filter(peers).toList(), bench, results));
        }
    }

    /** Runs all peers, in new processes for each round. */
    @FunctionalInterface
    public interface Round {
        /**
         * Adds the same number of values to {@code results} for each peer, peer after peer, so that the n-th ones can
         * be compared.
         */
        void run(List<Peer> peers, Bench bench, Results results) throws Exception;

        /** Returns a round that starts, measures and stops one peer after the other. */
        static Round oneByOne(Measurement measurement) {
            return (peers, bench, results) -> {
                for (Peer peer : peers) {
                    bench.progress().peer(peer);
                    results.add(peer, measurement.measure(peer, bench));
                }
            };
        }

        /** Returns a round that measures all peers at the same time, for loads that leave the processors idle. */
        static Round together(Measurement measurement) {
            return (peers, bench, results) -> {
                ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, peers.size()));
                try {
                    Map<Peer, Future<Map<Metric, Double>>> measuring = new LinkedHashMap<>();
                    for (Peer peer : peers) {
                        measuring.put(peer, threads.submit(() -> measurement.measure(peer, bench)));
                    }
                    for (Map.Entry<Peer, Future<Map<Metric, Double>>> each : measuring.entrySet()) {
                        results.add(each.getKey(), each.getValue().get());
                    }
                } finally {
                    threads.shutdownNow();
                }
            };
        }
    }

    /** Measures one peer once; with {@link Round#together}, on a separate thread. */
    @FunctionalInterface
    public interface Measurement {
        /** Returns the value of each of the case's metrics. */
        Map<Metric, Double> measure(Peer peer, Bench bench) throws Exception;
    }

    /** Receives the values of a round. */
    @FunctionalInterface
    public interface Results {
        /** Adds the values of one measurement. */
        void add(Contender contender, Map<Metric, Double> values);
    }
}
