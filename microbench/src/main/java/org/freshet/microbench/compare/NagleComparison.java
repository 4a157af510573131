package org.freshet.microbench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.CallsLoad;
import org.freshet.microbench.compare.load.CallsLoad.Calls;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Figure;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.report.Setting;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/**
 * Blocking clients call a server that has one thread, with a new connection per call, with Nagle's algorithm on and off
 * at either end.
 */
final class NagleComparison implements Comparison {
    private static final long SEED = 24_112_013;

    private static final Metric RATE = new Metric("callsPerSecond", "calls/s", 0);
    private static final Metric DEVIATION = new Metric("callsPerSecondDeviation", "std dev", 0);
    private static final Metric CALL = new Metric("meanCallMillis", "call ms", 1);
    private static final Metric P50 = new Metric("p50CallMillis", "p50 ms", 1);
    private static final Metric P99 = new Metric("p99CallMillis", "p99 ms", 1);
    private static final Metric CONNECT = new Metric("meanConnectMillis", "connect ms", 1);
    private static final Metric CPU = new Metric("serverCpuMicrosPerCall", "server CPU us/call", 1);
    private static final Metric UNSENT = new Metric("clientUnsentBytes", "unsent B", 0);
    private static final Metric UNREAD = new Metric("serverUnreadBytes", "unread B", 0);
    private static final Metric UNACCEPTED = new Metric("serverUnacceptedConnections", "unaccepted", 1);
    private static final Gauge<CallsLoad> GAUGE = new Gauge<>(
            List.of(RATE, DEVIATION, CALL, P50, P99, CONNECT, CPU, Shares.SERVER, Shares.CLIENT),
            NagleComparison::values);
    private static final Gauge<CallsLoad> GAUGE_WITH_QUEUES = new Gauge<>(
            List.of(RATE, DEVIATION, CALL, CONNECT, CPU, UNSENT, UNREAD, UNACCEPTED, Shares.SERVER, Shares.CLIENT),
            NagleComparison::values);

    @Override
    public String name() {
        return "nagle";
    }

    @Override
    public String question() {
        return "how does TCP_NODELAY at either end affect calls of blocking clients to a server with one thread?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.CALLS),
                new Option("clients", "200", "calling threads"),
                new Option("size", "10010", "bytes per request; an answer has two"),
                new Option("pieces", "1", "writes per request, or a list: 1,2"),
                new Option("server-nodelay", "on,off", "TCP_NODELAY at the server, on or off or both"),
                new Option("client-nodelay", "on,off", "TCP_NODELAY at the clients, on or off or both"),
                Option.toggle("queues", "also sample the kernel's queues (Linux)")));
        options.addAll(List.of(
                Option.number("warmup", 2000, 800, "milliseconds of warm-up for each new server"),
                Option.number("slices", 10, 8, "measurements of each setting per round, alternating between settings"),
                Option.number("millis", 2500, 2100, "minimum milliseconds of each")));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        Slices slices = Slices.of(options);
        int clients = options.number("clients", 1, 10_000);
        int size = options.number("size", 1, 1 << 24);
        boolean queues = options.isOn("queues");
        List<Boolean> servers = options.switches("server-nodelay");
        List<Boolean> atClients = options.switches("client-nodelay");
        Options.requireDescriptors("clients", clients * servers.size() * atClients.size());
        List<Plan.Case> cases = new ArrayList<>();
        for (int pieces : options.numbers("pieces", 1, size)) {
            for (Peer peer : options.peers(Role.CALLS)) {
                List<Slices.Contestant<CallsLoad>> settings = new ArrayList<>();
                for (boolean atServer : servers) {
                    for (boolean atClient : atClients) {
                        Calls calls = new Calls(clients, size, pieces, atClient, SEED);
                        settings.add(new Slices.Contestant<>(
                                setting(atServer, atClient),
                                Assignment.of(Role.CALLS).with("size", size).with("child.tcpNoDelay", atServer),
                                port -> new CallsLoad(port, calls, queues)));
                    }
                }
                cases.add(slices.rotating(
                        label(peer, clients, size, pieces), peer, settings, queues ? GAUGE_WITH_QUEUES : GAUGE));
            }
        }
        return new Plan(cases, options.peers(Role.CALLS), List.of(new Figure.Bars(CONNECT)));
    }

    private static String label(Peer peer, int clients, int size, int pieces) {
        return peer.label() + ", " + clients + " clients x " + size + " B"
                + (pieces == 1 ? "" : " in " + pieces + " pieces");
    }

    private static Setting setting(boolean atServer, boolean atClient) {
        String label = "TCP_NODELAY server " + word(atServer) + ", client " + word(atClient);
        return new Setting("server-" + word(atServer) + "-client-" + word(atClient), label);
    }

    private static String word(boolean on) {
        return on ? "on" : "off";
    }

    private static Map<Metric, Double> values(Outcome outcome, Usage server, CallsLoad load) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(RATE, outcome.perSecond());
        values.put(DEVIATION, deviation(load.callsOfSeconds()));
        values.put(CALL, outcome.latencyNanos().getMean() / 1e6);
        values.put(P50, outcome.latencyNanos().getValueAtPercentile(50) / 1e6);
        values.put(P99, outcome.latencyNanos().getValueAtPercentile(99) / 1e6);
        values.put(CONNECT, load.connectNanos().getMean() / 1e6);
        values.put(CPU, server.processCpuNanos() / 1e3 / outcome.messages());
        if (load.queues() != null) {
            values.put(UNSENT, load.queues().unsentBytes());
            values.put(UNREAD, load.queues().unreadBytes());
            values.put(UNACCEPTED, load.queues().unacceptedConnections());
        }
        values.putAll(Shares.of(outcome, server));
        return values;
    }

    /** Returns the standard deviation; NaN for fewer than two values. */
    static double deviation(List<Long> values) {
        double mean = values.stream().mapToLong(value -> value).average().orElse(Double.NaN);
        double squares = values.stream()
                .mapToDouble(value -> (value - mean) * (value - mean))
                .sum();
        return values.size() < 2 ? Double.NaN : Math.sqrt(squares / (values.size() - 1));
    }
}
