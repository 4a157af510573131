package org.freshet.microbench.compare;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.freshet.microbench.compare.load.Generator;
import org.freshet.microbench.compare.load.Outcome;
import org.freshet.microbench.compare.server.Assignment;
import org.freshet.microbench.compare.server.Peer;
import org.freshet.microbench.compare.server.Usage;

/** A server that is up and connected to its load, at rest between measurements. */
final class Subject<G extends Generator> implements AutoCloseable {
    private final Peer peer;
    private final Progress progress;
    private final ServerProcess server;
    private final G generator;

    /** What one measurement found, and by which generator, which may know more. */
    record Measured<G>(Outcome outcome, Usage server, G generator) {}

    /** Makes the load for the server at a port. */
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

    /** Has the server work without measuring, as long as {@code limit} allows and there are {@code messages}. */
    void warmUp(long messages, Duration limit) throws IOException {
        generator.run(messages, limit, done -> progress.detail("warming up, " + done + " messages"));
    }

    Peer peer() {
        return peer;
    }

    ServerProcess server() {
        return server;
    }

    /** Measures as many {@code messages} as {@code limit} allows. */
    Measured<G> measure(long messages, Duration limit) throws IOException {
        progress.peer(peer);
        return measure(messages, limit, done -> progress.detail(done + " messages"));
    }

    /** The same, watched by {@code watcher}. */
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
