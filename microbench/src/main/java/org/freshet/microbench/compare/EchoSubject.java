package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import org.freshet.microbench.compare.load.LoadGenerator;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.LoadGenerator.Outcome;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Role;
import org.freshet.microbench.compare.server.Usage;

/** An echo server that is up and connected to its load, at rest between measurements. */
final class EchoSubject implements AutoCloseable {
    private final Peer peer;
    private final Progress progress;
    private final ServerProcess server;
    private final LoadGenerator generator;

    /** What one measurement found. */
    record Measured(Outcome outcome, Usage server) {}

    private EchoSubject(Peer peer, Progress progress, ServerProcess server, Load load) throws IOException {
        this.peer = peer;
        this.progress = progress;
        this.server = server;
        this.generator = new LoadGenerator(server.port(), load);
    }

    /** Starts the server, connects, and sends {@code warmup} messages or as many as {@code limit} allows. */
    static EchoSubject start(Peer peer, Role role, Bench bench, Load load, long warmup, Duration limit)
            throws IOException {
        Progress progress = bench.progress();
        progress.peer(peer);
        ServerProcess server = bench.start(peer, role);
        try {
            EchoSubject subject = new EchoSubject(peer, progress, server, load);
            subject.generator.connect();
            subject.generator.run(warmup, limit, done -> progress.detail("warming up, " + done + " messages"));
            return subject;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    Peer peer() {
        return peer;
    }

    ServerProcess server() {
        return server;
    }

    Measured measure(long messages, Duration limit) throws IOException {
        progress.peer(peer);
        Usage before = server.usage();
        Outcome outcome = generator.run(messages, limit, done -> progress.detail(done + " messages"));
        return new Measured(outcome, server.usage().since(before));
    }

    @Override
    public void close() throws IOException {
        try (server) {
            generator.close();
        }
    }
}
