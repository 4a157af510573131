package org.freshet.microbench.compare;

import java.util.Map;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Usage;

/** Which side was busy: the shares of the elapsed time that the client and the server were on a processor. */
final class Shares {
    static final Metric SERVER = new Metric("serverCpuShare", "server CPU share", 2);
    static final Metric CLIENT = new Metric("clientCpuShare", "client CPU share", 2);

    private Shares() {}

    static Map<Metric, Double> of(Outcome outcome, Usage server) {
        return Map.of(
                SERVER, (double) server.processCpuNanos() / outcome.elapsedNanos(), CLIENT, outcome.ownCpuShare());
    }
}
