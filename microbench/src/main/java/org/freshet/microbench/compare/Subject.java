package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Usage;

/** A running server with its load connected, idle between measurements. */
final class Subject<G extends Generator> implements AutoCloseable {
    private final Peer peer;
    private final Progress progress;
    private final ServerProcess server;
    private final G generator;

    /** The results of one measurement, and the generator, which may have more. */
    record Measured<G>(Outcome outcome, Usage server, G generator) {}

    /** Creates the load for the server at a port. */
    @FunctionalInterface
    interface LoadFactory<G> {
        G create(int port) throws IOException;
    }

    private Subject(Peer peer, Progress progress, ServerProcess server, G generator) {
        this.peer = peer;
        this.progress = progress;
        this.server = server;
        this.generator = generator;
    }

    /** Starts the server and connects the load. */
    static <G extends Generator> Subject<G> start(Peer peer, Assignment assignment, Bench bench, LoadFactory<G> load)
            throws IOException {
        bench.progress().peer(peer);
        ServerProcess server = bench.start(peer, assignment);
        try {
            G generator = load.create(server.port());
            Subject<G> subject = new Subject<>(peer, bench.progress(), server, generator);
            generator.connect();
            return subject;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Lets the server work without measuring, for up to {@code limit} or {@code messages}. */
    void warmUp(long messages, Duration limit) throws IOException {
        generator.run(messages, limit, done -> progress.detail("warming up, " + done + " messages"));
    }

    Peer peer() {
        return peer;
    }

    ServerProcess server() {
        return server;
    }

    /** Measures as many {@code messages} as possible within {@code limit}. */
    Measured<G> measure(long messages, Duration limit) throws IOException {
        progress.peer(peer);
        return measure(messages, limit, done -> progress.detail(done + " messages"));
    }

    /** Does the same, and reports progress to {@code watcher}. */
    Measured<G> measure(long messages, Duration limit, LongConsumer watcher) throws IOException {
        Usage before = server.usage();
        Outcome outcome = generator.run(messages, limit, watcher);
        return new Measured<>(outcome, server.usage().since(before), generator);
    }

    @Override
    public void close() throws IOException {
        try (server) {
            generator.close();
        }
    }
}
