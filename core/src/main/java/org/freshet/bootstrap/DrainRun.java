package org.freshet.bootstrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.freshet.bootstrap.DrainReport.Unfinished;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.drain.ChannelDrain.End;
import org.freshet.internal.drain.ChannelDrain.Outcome;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.internal.time.SpareThreads;
import org.freshet.internal.transport.AcceptedChannels;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A running drain: closes the server channels, drains the connections they have accepted, and reports.
 *
 * <p>Channels end on any thread, so the shared state is kept in concurrent collections and counters.
 */
final class DrainRun {
    /** How long after the deadline a loop may still take to list its connections. */
    private static final long LISTING_MILLIS = 1_000;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(Drain.class);
    private static final FailsafeLogMessage REPORT_LATE =
            FailsafeLogMessage.warning(logger, "cannot report the end of a drain; trying again in a second");
    private static final FailsafeLogMessage NOT_CUT_OFF =
            FailsafeLogMessage.warning(logger, "cannot cut off a connection");

    private final Supplier<Collection<Channel>> source;
    private final long quietNanos;
    private final long deadlineNanos;
    private final CompletableFuture<DrainReport> report = new CompletableFuture<>();
    private final Queue<ChannelDrain> drains = new ConcurrentLinkedQueue<>();
    private final Queue<End> ends = new ConcurrentLinkedQueue<>();

    /** The number of server channels not yet closed plus connections not yet ended. */
    private final AtomicInteger pending = new AtomicInteger(1);

    private final AtomicBoolean isFinished = new AtomicBoolean();
    private final SafetyTimer.Pending conclusion = SafetyTimer.spare(this::conclude);

    private volatile long startNanos;

    /** Whether there was a server to drain. */
    private volatile boolean isAnything;

    /** Null if Flight Recorder is off. Set before any connection ends. */
    private volatile Object recorded;

    /** Whether the deadline has passed. */
    private volatile boolean isOver;

    DrainRun(Supplier<Collection<Channel>> source, long quietNanos, long deadlineNanos) {
        this.source = source;
        this.quietNanos = quietNanos;
        this.deadlineNanos = deadlineNanos;
    }

    static void requireListing(Channel server) {
        if (!(server instanceof AcceptedChannels)) {
            throw new IllegalArgumentException("not a server channel of Freshet's transports: " + server);
        }
    }

    CompletableFuture<DrainReport> report() {
        return report;
    }

    void start() {
        startNanos = System.nanoTime();
        recorded = Flight.drainBegan();
        SafetyTimer.Pending limit = SafetyTimer.startBlocking(
                deadlineNanos, TimeUnit.NANOSECONDS, this::onDeadline); // set up first: what follows may throw
        report.whenComplete((done, failure) -> limit.cancel());
        Collection<Channel> servers = source.get();
        isAnything = !servers.isEmpty();
        for (Channel server : servers) {
            close(server);
        }
        onOneEnded();
    }

    private void close(Channel server) {
        pending.incrementAndGet();
        try {
            server.close(CloseReason.of(CloseReason.Kind.DRAINED)).addListener(closed -> onServerClosed(server));
        } catch (Throwable t) { // from a handler; the other servers must still be drained
            onNotListed(server, t);
        }
    }

    private void onServerClosed(Channel server) {
        if (server instanceof AcceptedChannels accepting) {
            accepting.acceptedChannels().whenComplete((accepted, failure) -> {
                if (failure == null) {
                    drain(accepted);
                } else {
                    onNotListed(server, failure);
                }
            });
        } else {
            onNotListed(server, null);
        }
    }

    private void onNotListed(Channel server, Throwable cause) {
        try {
            logger.warn("the connections of " + server + " cannot be listed and are not drained", cause);
        } finally {
            onOneEnded();
        }
    }

    private void drain(List<Channel> accepted) {
        for (Channel channel : accepted) {
            try {
                drain(channel);
            } catch (Throwable t) { // the other connections must still be drained
                onNotDrained(channel, t);
            }
        }
        onOneEnded(); // the server
    }

    private void onNotDrained(Channel channel, Throwable cause) {
        ends.add(new End(channel, Outcome.CUT, List.of("not drained: " + cause), WriteAccount.waitingBytes(channel)));
        channel.close(CloseReason.of(CloseReason.Kind.DRAINED, "not drained: " + cause));
    }

    private void drain(Channel channel) {
        ChannelDrain drain = ChannelDrain.start(channel, quietNanos, SpareThreads::execute);
        pending.incrementAndGet();
        drain.ended().thenAccept(end -> {
            ends.add(end);
            onOneEnded();
        });
        drains.add(drain);
        if (isOver) { // onDeadline may have missed this one
            drain.cut();
        }
    }

    private void onDeadline() {
        isOver = true;
        for (ChannelDrain drain : drains) {
            cut(drain);
        }
        SafetyTimer.startBlocking(LISTING_MILLIS, TimeUnit.MILLISECONDS, this::finishWithoutAnswer);
    }

    private static void cut(ChannelDrain drain) {
        try {
            drain.cut();
        } catch (RuntimeException e) { // the others must still be cut; after an Error, this runs again
            NOT_CUT_OFF.log(null, e);
        }
    }

    /** Finishes without the connections of a loop that a handler blocks: it cannot list them. */
    private void finishWithoutAnswer() {
        if (!report.isDone()) {
            logger.warn(
                    "an I/O thread did not respond to a drain because a handler blocks it; its connections are not in"
                            + " the report");
            finish();
        }
    }

    private void onOneEnded() {
        if (pending.decrementAndGet() == 0) {
            finish();
        }
    }

    private void finish() {
        if (isFinished.compareAndSet(false, true)) {
            try {
                conclusion.run();
            } catch (VirtualMachineError e) { // it runs again, so that a waiting caller doesn't wait forever
                REPORT_LATE.log(null, e);
            }
        }
    }

    private void conclude() {
        DrainReport result;
        try {
            result = newReport();
        } catch (RuntimeException e) { // from a channel that is not one of Freshet's
            report.completeExceptionally(e);
            return;
        }
        try {
            publish(result);
        } finally {
            SpareThreads.execute(() -> report.complete(result));
        }
    }

    private void publish(DrainReport result) {
        if (isAnything) { // otherwise there was nothing to drain
            logger.info(result.toString());
        }
        if (recorded != null) {
            Flight.drainEnded(recorded, result);
        }
    }

    private DrainReport newReport() {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        List<Unfinished> broken = new ArrayList<>();
        List<Unfinished> cutOff = new ArrayList<>();
        for (End end : ends) {
            counts.merge(end.outcome(), 1, Integer::sum);
            if (end.outcome() == Outcome.LOST) {
                broken.add(unfinished(end));
            } else if (end.outcome() == Outcome.CUT) {
                cutOff.add(unfinished(end));
            }
        }
        return new DrainReport(
                counts.getOrDefault(Outcome.FINISHED, 0),
                counts.getOrDefault(Outcome.IDLE, 0),
                counts.getOrDefault(Outcome.DISCONNECTED, 0),
                broken,
                cutOff,
                Duration.ofNanos(System.nanoTime() - startNanos));
    }

    private static Unfinished unfinished(End end) {
        return new Unfinished(end.channel().getId(), end.channel().getRemoteAddress(), end.holds(), end.unsentBytes());
    }
}
