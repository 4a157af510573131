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
 * Shuts servers down gracefully: they stop accepting, each connection is asked by a {@link DrainEvent} to finish its work, and is closed
 * when it has.
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
 * <p>Handlers respond to the event in their own way. {@code HttpKeepAliveHandler} adds {@code Connection: close} to the next HTTP/1.1
 * response, WebSockets are closed with code 1001, HTTP/2 sends GOAWAY. {@code ChunkedWriteHandler} finishes its transfers,
 * {@code ExecutionHandler} the events it already has, {@code PipelinedExecutionHandler} the answers it owes. A connection of any other
 * protocol is closed when nothing was read or sent for the {@link #quietPeriod} time.
 *
 * <p>Configure an instance on one thread; it can be started once.
 */
public final class Drain {
    /** Called when the drain starts; servers bound until then are included. */
    private final Supplier<Collection<Channel>> servers;

    private final AtomicBoolean isStarted = new AtomicBoolean();

    private Duration keepAccepting = Duration.ZERO;
    private Duration quietPeriod = Duration.ofSeconds(1);
    private Duration deadline = Duration.ofSeconds(30);

    private Drain(Supplier<Collection<Channel>> servers) {
        this.servers = servers;
    }

    /** Drains the open servers that these bootstraps have bound by the time {@link #start} is called. */
    public static Drain of(ServerBootstrap... bootstraps) {
        List<ServerBootstrap> all = List.of(bootstraps);
        return new Drain(() -> {
            List<Channel> servers = new ArrayList<>();
            all.forEach(bootstrap -> servers.addAll(bootstrap.boundChannels()));
            return servers;
        });
    }

    /**
     * Drains the given servers.
     *
     * @param servers server channels of Freshet's transports
     * @throws IllegalArgumentException if one of them cannot list its connections
     */
    public static Drain ofServers(Collection<? extends Channel> servers) {
        servers.forEach(DrainRun::requireListing);
        List<Channel> all = List.copyOf(servers);
        return new Drain(() -> all);
    }

    /**
     * How long the servers keep accepting, so that load balancers can take them out of rotation first. Default: 0.
     *
     * @param time 0 or more
     */
    public Drain keepAccepting(Duration time) {
        keepAccepting = nonNegative("keepAccepting", time);
        return this;
    }

    /**
     * How long a connection must have been silent, with nothing read or sent, before it is closed. Applies to connections whose handlers
     * did not {@linkplain DrainEvent#claim() claim} the event. It should be longer than such a protocol takes to begin an answer. Default:
     * 1 second.
     *
     * @param time 0 or more
     */
    public Drain quietPeriod(Duration time) {
        quietPeriod = nonNegative("quietPeriod", time);
        return this;
    }

    /**
     * When to close unfinished connections, counted from when the servers stop accepting. Default: 30 seconds.
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
     * Starts the drain and returns immediately.
     *
     * @return completes normally when all connections have ended or were cut off. It completes on a thread that may block, for example in
     *     {@code releaseExternalResources()}.
     * @throws IllegalStateException if it was started before
     */
    public CompletableFuture<DrainReport> start() {
        if (!isStarted.compareAndSet(false, true)) {
            throw new IllegalStateException("a drain can be started only once; create a new one");
        }
        DrainRun run = new DrainRun(servers, quietPeriod.toNanos(), deadline.toNanos());
        if (keepAccepting.isZero()) {
            run.start();
        } else {
            SafetyTimer.startBlocking(keepAccepting.toNanos(), TimeUnit.NANOSECONDS, run::start);
        }
        return run.report();
    }
}
