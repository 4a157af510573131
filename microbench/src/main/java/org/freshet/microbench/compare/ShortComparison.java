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
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/** Connections that live for one message and its answer, through pipelines of several lengths. */
final class ShortComparison implements Comparison {
    private static final long SEED = 22_112_026;

    private static final Metric RATE = new Metric("connectionsPerSecond", "connections/s", 0);
    private static final Metric CPU = new Metric("serverCpuMicrosPerConnection", "server CPU us/connection", 1);
    private static final Metric THREADS = new Metric("serverThreadsCpuMicrosPerConnection", "of it threads", 1);
    private static final Metric ALLOCATED =
            new Metric("serverAllocatedBytesPerConnection", "allocated B/connection", 0);
    private static final Gauge<CallsLoad> GAUGE =
            new Gauge<>(List.of(CPU, THREADS, ALLOCATED, RATE, Shares.SERVER, Shares.CLIENT), ShortComparison::values);

    @Override
    public String name() {
        return "short";
    }

    @Override
    public String question() {
        return "what does a connection for a single message cost, by the number of handlers?";
    }

    @Override
    public List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(
                Options.peersOption(Role.CALLS),
                new Option("clients", "8", "threads that connect, send, read and close"),
                new Option("size", "100", "bytes per message; an answer has two"),
                new Option(
                        "handlers", "1,4,16", "handlers in a connection's pipeline; all but one pass everything on")));
        options.addAll(Slices.options(2000, 7, 300));
        return options;
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        Slices slices = Slices.of(options);
        int clients = options.number("clients", 1, 10_000);
        Options.requireDescriptors("clients", clients);
        int size = options.number("size", 1, 1 << 24);
        Calls calls = new Calls(clients, size, 1, true, SEED);
        List<Plan.Case> cases = new ArrayList<>();
        for (int handlers : options.numbers("handlers", 1, 1000)) {
            cases.add(slices.timed(
                    handlers + " handlers, " + clients + " clients x " + size + " B",
                    Assignment.of(Role.CALLS)
                            .with("size", size)
                            .with("handlers", handlers)
                            .with("child.tcpNoDelay", true),
                    port -> new CallsLoad(port, calls),
                    GAUGE));
        }
        return new Plan(cases, options.peers(Role.CALLS), List.of(new Figure.Bars(CPU)));
    }

    private static Map<Metric, Double> values(Outcome outcome, Usage server, CallsLoad load) {
        Map<Metric, Double> values = new LinkedHashMap<>();
        values.put(CPU, server.processCpuNanos() / 1e3 / outcome.messages());
        values.put(THREADS, server.threadsCpuNanos() / 1e3 / outcome.messages());
        values.put(ALLOCATED, (double) server.allocatedBytes() / outcome.messages());
        values.put(RATE, outcome.perSecond());
        values.putAll(Shares.of(outcome, server));
        return values;
    }
}
