package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.load.ReportsLoad;
import org.freshet.microbench.compare.report.Figure;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/**
 * A message larger than a socket's receive buffer arrives in parts. This compares the cost of different buffer sizes,
 * and shows the size that the kernel chooses.
 */
final class BuffersComparison implements Comparison {
    private static final long SEED = 8088;
    private static final String SIZES = "1144,2288,4576,9152,18304,36608,73216,146432,292864,585728";
    private static final String RECEIVE_BUFFER = "child.receiveBufferSize";

    private static final String UNASKED = "receive buffer chosen by the system";

    private static final Metric MEAN = new Metric("meanMillis", "ms", 3);
    private static final Metric CALLS = new Metric("decoderCallsPerRequest", "decoder calls", 2);
    private static final Metric P50 = new Metric("p50Millis", "p50 ms", 3);
    private static final Metric P99 = new Metric("p99Millis", "p99 ms", 3);
    private static final Metric BUFFER = new Metric("receiveBufferBytes", "buffer B", 0);
    private static final Metric CPU = new Metric("serverCpuMicrosPerRequest", "server CPU us/request", 1);
    private static final Gauge<ReportsLoad> GAUGE = new Gauge<>(
            List.of(P50, CALLS, MEAN, P99, BUFFER, CPU, Shares.SERVER, Shares.CLIENT), BuffersComparison::values);

    @Override
    public String name() {
        return "buffers";
    }

    @Override
    public String question() {
        return "how long does a request take, with how many decoder calls, by the size of the receive buffer?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.REPORTS),
                new Option("size", "8088", "bytes per message"),
                new Option("buffers", SIZES, "requested receive buffers, bytes")));
        options.addAll(Slices.options(1500, 3, 1500));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        Slices slices = Slices.of(options);
        int size = options.number("size", 1, 1 << 20);
        List<Integer> sizes = options.numbers("buffers", 1, 1 << 30);
        Subject.LoadFactory<ReportsLoad> load = port -> new ReportsLoad(port, size, SEED);
        List<Plan.Case> cases = new ArrayList<>();
        Map<String, Integer> places = new LinkedHashMap<>();
        for (int bytes : sizes) {
            String label = "receive buffer of " + bytes + " B";
            places.put(label, bytes);
            cases.add(slices.timed(label, asking(bytes), load, GAUGE));
        }
        cases.add(slices.timed(UNASKED, Assignment.of(Role.REPORTS), load, GAUGE));
        List<Peer> peers = options.peers(Role.REPORTS);
        Figure curves = new Figure.Curves(
                "requested receive buffer, bytes",
                places,
                P50,
                CALLS,
                UNASKED,
                BUFFER,
                size,
                String.format(Locale.ROOT, "message, %,d B", size));
        return new Plan(cases, peers, List.of(curves));
    }

    private static Assignment asking(int bytes) {
        return Assignment.of(Role.REPORTS).with(RECEIVE_BUFFER, bytes);
    }

    private static Map<Metric, Double> values(Outcome outcome, Usage server, ReportsLoad load) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(MEAN, outcome.elapsedNanos() / 1e6 / outcome.messages());
        values.put(CALLS, load.decoderCallsPerFrame());
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e6);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e6);
        values.put(BUFFER, (double) load.receiveBufferBytes());
        values.put(CPU, server.processCpuNanos() / 1e3 / outcome.messages());
        values.putAll(Shares.of(outcome, server));
        return values;
    }
}
