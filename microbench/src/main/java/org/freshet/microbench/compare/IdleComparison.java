package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.load.WebSocketDialect;
import org.freshet.microbench.compare.report.Metric;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/** Connections that have sent one message and are now silent: the server memory each of them takes. */
final class IdleComparison implements Comparison {
    private static final long SEED = 13_112_000;
    private static final int MESSAGE_BYTES = 64;

    /** Opened and closed first, so that shared classes and buffers exist already. */
    private static final int WARMUP_CONNECTIONS = 200;

    private static final Metric HEAP = new Metric("liveHeapBytesPerConnection", "live heap B/conn", 0);
    private static final Metric RESIDENT = new Metric("residentBytesPerConnection", "RSS B/conn", 0);
    private static final Metric RATE = new Metric("connectsPerSecond", "connects/s", 0);
    private static final Metric CPU = new Metric("serverCpuMicrosPerConnect", "server CPU us/connect", 1);
    private static final List<Metric> METRICS = List.of(HEAP, RESIDENT, RATE, CPU);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String question() {
        return "how much memory does an idle connection take after one message, and what does connecting cost?";
    }

    @Override
    public List<Option> options() {
        return List.of(
                Options.peersOption(Role.LINES),
                new Option("connections", "10000", "idle connections, or a list: 1000,10000"),
                new Option(
                        "pipelines",
                        "echo,lines",
                        "echo: one handler; lines: frame decoder, string codec, handler; http: server codec, handler; websocket: after the upgrade"));
    }

    @Override
    public Plan plan(Options options) throws UsageException {
        List<Plan.Case> cases = new ArrayList<>();
        for (int connections : options.numbers("connections", 1, 1_000_000)) {
            Options.requireDescriptors("connections", connections);
            for (String word : options.words("pipelines")) {
                Pipeline pipeline = Pipeline.of(word);
                cases.add(new Plan.Case(
                                connections + " idle connections, " + pipeline.label,
                                METRICS,
                                Integer.MAX_VALUE,
                                Plan.Round.oneByOne((peer, bench) -> measure(peer, bench, pipeline, connections)))
                        .only(peer -> Peer.able(pipeline.role).contains(peer)));
            }
        }
        return new Plan(cases, options.peers(Role.LINES));
    }

    /** The pipeline of each connection. */
    private enum Pipeline {
        ECHO(Role.ECHO, "pipeline with an echo handler", LoadGenerator::new),
        LINES(Role.LINES, "pipeline with frame decoder, string codec and handler", LoadGenerator::ofLines),
        HTTP(Role.HTTP, "pipeline with HTTP server codec and handler", LoadGenerator::ofRequests),
        WEBSOCKET(Role.WEBSOCKET, "pipeline with WebSocket codecs and handler", Pipeline::webSocket);

        private final Role role;
        private final String label;
        private final Generators generators;

        Pipeline(Role role, String label, Generators generators) {
            this.role = role;
            this.label = label;
            this.generators = generators;
        }

        static Pipeline of(String word) throws UsageException {
            for (Pipeline pipeline : values()) {
                if (pipeline.role.id().equals(word)) {
                    return pipeline;
                }
            }
            throw new UsageException("--pipelines takes echo, lines, http or websocket: " + word);
        }

        private static LoadGenerator webSocket(int port, Load load) throws IOException {
            return LoadGenerator.ofWebSocket(port, load, WebSocketDialect.Content.TEXT);
        }
    }

    @FunctionalInterface
    private interface Generators {
        LoadGenerator create(int port, Load load) throws IOException;
    }

    private static Map<Metric, Double> measure(Peer peer, Bench bench, Pipeline pipeline, int connections)
            throws IOException {
        try (ServerProcess server = bench.start(peer, Assignment.of(pipeline.role))) {
            warmUp(pipeline.generators.create(server.port(), load(WARMUP_CONNECTIONS)));
            long heapBefore = server.liveHeapBytes();
            Usage before = server.usage();
            try (LoadGenerator generator = pipeline.generators.create(server.port(), load(connections))) {
                Outcome outcome = generator.connect();
                long connectCpuNanos = server.usage().since(before).processCpuNanos();
                bench.progress().detail(outcome.messages() + " connected");
                Map<Metric, Double> values = new LinkedHashMap<>();
                values.put(HEAP, (double) (server.liveHeapBytes() - heapBefore) / connections);
                values.put(RESIDENT, (double) (server.usage().residentBytes() - before.residentBytes()) / connections);
                values.put(RATE, outcome.perSecond());
                values.put(CPU, connectCpuNanos / 1e3 / connections);
                return values;
            }
        }
    }

    private static Load load(int connections) {
        return new Load(connections, MESSAGE_BYTES, 1, SEED);
    }

    private static void warmUp(LoadGenerator generator) throws IOException {
        try (generator) {
            generator.connect();
            generator.run(10L * WARMUP_CONNECTIONS, Duration.ofSeconds(10), done -> {});
        }
    }
}
