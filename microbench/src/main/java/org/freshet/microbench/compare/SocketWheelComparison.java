package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.ObjectDialect;
import org.freshet.microbench.compare.load.ObjectsLoad;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Figure;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/**
 * Thousands of clients that each exchange a few serialized objects, with servers that use threads, a socket wheel, or
 * selectors.
 */
final class SocketWheelComparison implements Comparison {
    private static final Assignment ASSIGNMENT = Assignment.of(Role.OBJECTS);
    private static final int WARMUP_CLIENTS = 100;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final double MIB = 1048576.0;

    private static final Metric TIME = new Metric("seconds", "time s", 2);
    private static final Metric CONNECTING = new Metric("connectingSeconds", "of it connecting", 2);
    private static final Metric RESIDENT = new Metric("serverResidentMiB", "RSS MiB", 1);
    private static final Metric RESIDENT_EACH = new Metric("serverResidentKiBPerClient", "RSS KiB/client", 1);
    private static final Metric HEAP = new Metric("serverLiveHeapMiB", "live heap MiB", 1);
    private static final Metric CPU = new Metric("serverCpuSeconds", "server CPU s", 2);
    private static final Metric P50 = new Metric("p50Millis", "p50 ms", 1);
    private static final Metric P99 = new Metric("p99Millis", "p99 ms", 1);
    private static final List<Metric> METRICS =
            List.of(TIME, CONNECTING, RESIDENT, RESIDENT_EACH, HEAP, CPU, P50, P99, Shares.SERVER, Shares.CLIENT);

    @Override
    public String name() {
        return "socketwheel";
    }

    @Override
    public String question() {
        return "how much time and memory does it take to exchange serialized objects with thousands of clients?";
    }

    @Override
    public List<Option> options() {
        return List.of(
                Options.peersOption(Role.OBJECTS, Peer.able(Role.OBJECTS)),
                new Option("clients", "3500", "connections, or a list: 350,3500"),
                new Option("exchanges", "32", "objects each way on each connection"),
                new Option("warmup", "100", "warm-up exchanges, on each of " + WARMUP_CLIENTS + " other connections"));
    }

    /** Starts small and grows, because the question is how much a server needs. */
    @Override
    public List<String> heapFlags(int mib) {
        return List.of("-Xms8m", "-Xmx" + mib + "m");
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        int exchanges = options.number("exchanges", 1, 10_000);
        int warmup = options.number("warmup", 0, 100_000);
        List<Plan.Case> cases = new ArrayList<>();
        for (int clients : options.numbers("clients", 1, 90_000)) {
            Options.requireDescriptors("clients", clients);
            cases.add(new Plan.Case(
                    clients + " clients x " + exchanges + " objects each way",
                    METRICS,
                    Integer.MAX_VALUE,
                    Plan.Round.oneByOne((peer, bench) -> measure(peer, bench, clients, exchanges, warmup))));
        }
        return new Plan(cases, options.peers(Role.OBJECTS), List.of(new Figure.Bars(RESIDENT), new Figure.Bars(HEAP)));
    }

    private static Map<Metric, Double> measure(Peer peer, Bench bench, int clients, int exchanges, int warmup)
            throws IOException {
        ObjectDialect dialect = dialectOf(peer);
        try (ServerProcess server = bench.start(peer, ASSIGNMENT)) {
            if (warmup > 0) {
                warmUp(new ObjectsLoad(server.port(), WARMUP_CLIENTS, dialect), warmup);
            }
            try (ObjectsLoad load = new ObjectsLoad(server.port(), clients, dialect)) {
                Usage before = server.usage();
                Outcome connected = load.connect();
                Outcome exchanged = load.run(
                        (long) clients * exchanges,
                        LIMIT,
                        done -> bench.progress().detail(done + " exchanges"));
                Usage after = server.usage();
                Map<Metric, Double> values = values(connected, exchanged, after.since(before));
                values.put(RESIDENT_EACH, (after.residentBytes() - before.residentBytes()) / 1024.0 / clients);
                values.put(HEAP, server.liveHeapBytes() / MIB);
                return values;
            }
        }
    }

    private static void warmUp(ObjectsLoad load, int exchanges) throws IOException {
        try (load) {
            load.connect();
            load.run((long) WARMUP_CLIENTS * exchanges, LIMIT, done -> {});
        }
    }

    private static Map<Metric, Double> values(Outcome connected, Outcome exchanged, Usage used) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        long elapsedNanos = connected.elapsedNanos() + exchanged.elapsedNanos();
        values.put(TIME, elapsedNanos / 1e9);
        values.put(CONNECTING, connected.elapsedNanos() / 1e9);
        values.put(RESIDENT, used.residentBytes() / MIB);
        values.put(CPU, used.processCpuNanos() / 1e9);
        values.put(P50, exchanged.latencyNanos().getValueAtPercentile(50) / 1e6);
        values.put(P99, exchanged.latencyNanos().getValueAtPercentile(99) / 1e6);
        values.putAll(Shares.of(exchanged.after(connected), used));
        return values;
    }

    /** The peers of the original comparison use Java's own streams; peers that frame objects send less. */
    private static ObjectDialect dialectOf(Peer peer) {
        return switch (peer) {
            case THREADS, WHEEL -> ObjectDialect.STREAM;
            case FRESHET_STREAMS -> ObjectDialect.STREAM_RESET_FIRST;
            default -> ObjectDialect.FRAMED;
        };
    }
}
