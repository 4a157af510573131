package org.freshet.bootstrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.freshet.channel.Channel;
import org.freshet.channel.DrainEvent;
import org.freshet.internal.time.SafetyTimer;

/**
 * Ends servers without cutting off what they are doing: they stop accepting, each connection is asked to finish its work by a
 * {@link DrainEvent}, and is closed when it has.
 *
 * <pre>{@code
 * DrainReport report = Drain.of(server)
 *         .keepAccepting(Duration.ofSeconds(5)) // until the load balancer has noticed
 *         .deadline(Duration.ofSeconds(30))
 *         .start()
 *         .join();
 * server.releaseExternalResources();
 * System.out.println(report); // drained 214 connections in 1203 ms: 12 finished, 202 idle, ...
 * }</pre>
 *
 * <p>The handlers of HTTP ({@code HttpKeepAliveHandler}), WebSocket and HTTP/2 answer the event: the next answer of HTTP/1.1 says
 * {@code Connection: close}, a WebSocket is closed with code 1001, HTTP/2 announces the end by GOAWAY. {@code ChunkedWriteHandler}
 * finishes its transfers, {@code ExecutionHandler} what it was given before, {@code PipelinedExecutionHandler} owed answers. A
 * connection of another protocol is closed when nothing was read or sent for the {@link #quiet} time.
 *
 * <p>Not thread-safe until it is started; each instance starts once.
 */
public final class Drain {
    /** Asked when the drain starts: servers may be bound until then. */
    private final Supplier<Collection<Channel>> servers;

    private final AtomicBoolean isStarted = new AtomicBoolean();

    private Duration keepAccepting = Duration.ZERO;
    private Duration quiet = Duration.ofSeconds(1);
    private Duration deadline = Duration.ofSeconds(30);

    private Drain(Supplier<Collection<Channel>> servers) {
        this.servers = servers;
    }

    /** Drains all servers that these bootstraps have bound and that are open when {@link #start} is called. */
    public static Drain of(ServerBootstrap... bootstraps) {
        List<ServerBootstrap> all = List.of(bootstraps);
        return new Drain(() -> {
            List<Channel> servers = new ArrayList<>();
            all.forEach(bootstrap -> servers.addAll(bootstrap.boundChannels()));
            return servers;
        });
    }

    /**
     * Drains these servers.
     *
     * @param servers server channels of Freshet's transports
     * @throws IllegalArgumentException if the connections of one of them cannot be listed
     */
    public static Drain ofServers(Collection<? extends Channel> servers) {
        servers.forEach(DrainRun::requireListing);
        List<Channel> all = List.copyOf(servers);
        return new Drain(() -> all);
    }

    /**
     * How long the servers go on as before, so that load balancers can learn that they are to be left alone. Default: not at all.
     *
     * @param time 0 or more
     */
    public Drain keepAccepting(Duration time) {
        keepAccepting = nonNegative("keepAccepting", time);
        return this;
    }

    /**
     * How long nothing must have been read or sent before a connection is closed whose handlers did not {@linkplain DrainEvent#claim()
     * claim} the event. For such protocols it should be longer than an answer takes to begin. Default: 1 second.
     *
     * @param time 0 or more
     */
    public Drain quiet(Duration time) {
        quiet = nonNegative("quiet", time);
        return this;
    }

    /**
     * When connections that are not done are closed, counted from when the servers stop accepting. Default: 30 seconds.
     *
     * @param time 0 or more
     */
    public Drain deadline(Duration time) {
        deadline = nonNegative("deadline", time);
        return this;
    }

    private static Duration nonNegative(String name, Duration time) {
        if (Objects.requireNonNull(time, name).isNegative()) {
            throw new IllegalArgumentException(name + " < 0: " + time);
        }
        return time;
    }

    /**
     * Starts; returns at once.
     *
     * @return completes, with success, when all connections have ended or were cut off, on a thread that may block, such as in {@code
     *     releaseExternalResources()}
     * @throws IllegalStateException if it was started before
     */
    public CompletableFuture<DrainReport> start() {
        if (!isStarted.compareAndSet(false, true)) {
            throw new IllegalStateException("a drain starts only once; make another one");
        }
        DrainRun run = new DrainRun(servers, quiet.toNanos(), deadline.toNanos());
        if (keepAccepting.isZero()) {
            run.start();
        } else {
            SafetyTimer.startBlocking(keepAccepting.toNanos(), TimeUnit.NANOSECONDS, run::start);
        }
        return run.report();
    }
}
