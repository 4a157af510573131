package org.freshet.microbench.compare;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Usage;

/** Shows which side was busy: the share of the elapsed time during which client and server were on a processor. */
final class Shares {
    static final Metric SERVER = new Metric("serverCpuShare", "server CPU share", 2);
    static final Metric CLIENT = new Metric("clientCpuShare", "client CPU share", 2);

    private static final double BUSY = 0.9;

    private Shares() {}

    static Map<Metric, Double> of(Outcome outcome, Usage server) {
        return Map.of(
                SERVER, (double) server.processCpuNanos() / outcome.elapsedNanos(), CLIENT, outcome.ownCpuShare());
    }

    /** Returns a warning if the client was fully busy, because then it may have limited the server; otherwise empty. */
    static String remark(ToDoubleFunction<Metric> medians) {
        double client = medians.applyAsDouble(CLIENT);
        boolean clientSetsPace = client >= BUSY && client > medians.applyAsDouble(SERVER);
        return clientSetsPace
                ? "the client was busier than the server: rates and latencies say more about the client"
                : "";
    }
}
