package org.freshet.microbench.compare;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Usage;

/** Which side was busy: the shares of the elapsed time that the client and the server were on a processor. */
final class Shares {
    static final Metric SERVER = new Metric("serverCpuShare", "server CPU share", 2);
    static final Metric CLIENT = new Metric("clientCpuShare", "client CPU share", 2);

    private static final double BUSY = 0.9;

    private Shares() {}

    static Map<Metric, Double> of(Outcome outcome, Usage server) {
        return Map.of(
                SERVER, (double) server.processCpuNanos() / outcome.elapsedNanos(), CLIENT, outcome.ownCpuShare());
    }

    /** Warns of a client that had no time left: it may have been what limited the server. Empty when there is nothing to say. */
    static String remark(ToDoubleFunction<Metric> medians) {
        double client = medians.applyAsDouble(CLIENT);
        boolean clientSetsPace = client >= BUSY && client > medians.applyAsDouble(SERVER);
        return clientSetsPace
                ? "the client was busier than the server: rates and latencies are rather the client's"
                : "";
    }
}
