package org.freshet.telemetry;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MemoryBudget;
import org.freshet.channel.UnobservedFailures;
import org.freshet.internal.accept.AcceptCounts;
import org.freshet.internal.telemetry.ConnectionCounters;
import org.freshet.internal.telemetry.LoopWatch;

/**
 * Statistics of the I/O loops of channel factories: as objects, in the text format that Prometheus scrapes, or through
 * a {@link MetricVisitor} for any other monitoring system.
 *
 * <p>Loops always count; reading costs them nothing. Only NIO factories have loops. Factories of blocking I/O and of
 * the local transport report connections and bytes alone. For them the loop name is {@code none} and the role is
 * {@code oio-server}, {@code oio-client}, {@code oio-datagram}, {@code local-server} or {@code local-client}. Any
 * thread may call it.
 *
 * <pre>{@code
 * StringBuilder text = new StringBuilder();
 * Telemetry.writePrometheus(text, bootstrap.getFactory());
 * }</pre>
 */
public final class Telemetry {
    private static final double SECOND = 1e9;

    /** From a microsecond to a minute. Finer or coarser buckets would only make the text longer. */
    private static final int FIRST_BUCKET = 10;

    private static final int LAST_BUCKET = 36;

    private static final double[] BOUNDS = new double[LAST_BUCKET - FIRST_BUCKET];

    static {
        for (int i = 0; i < BOUNDS.length; i++) {
            BOUNDS[i] = (1L << FIRST_BUCKET + i) / SECOND;
        }
    }

    /** By name. */
    private static final Map<String, QueueStats> QUEUES = new ConcurrentSkipListMap<>();

    private Telemetry() {}

    /**
     * Adds a queue to the metrics, with the name as the label {@code executor}. It is kept until {@link #removeQueue}.
     *
     * @param queue for example a {@link org.freshet.handler.execution.KeyedExecutor}
     * @throws IllegalArgumentException if the name is taken by another queue
     */
    public static void addQueue(String name, QueueStats queue) {
        Objects.requireNonNull(queue, "queue");
        QueueStats present = QUEUES.putIfAbsent(Objects.requireNonNull(name, "name"), queue);
        if (present != null && present != queue) {
            throw new IllegalArgumentException("another queue has this name: " + name);
        }
    }

    /** Removes a queue. Returns false if no queue has the name. */
    public static boolean removeQueue(String name) {
        return QUEUES.remove(Objects.requireNonNull(name, "name")) != null;
    }

    /**
     * Returns the loops of some factories. A loop shared by several of them is listed once.
     *
     * @return live views; you can keep them and read them again
     */
    public static List<LoopStats> loops(ChannelFactory... factories) {
        Map<LoopStats, Boolean> loops = new IdentityHashMap<>();
        List<LoopStats> inOrder = new ArrayList<>();
        for (ChannelFactory factory : factories) {
            if (factory instanceof LoopSource source) {
                source.loopStats().stream()
                        .filter(loop -> loops.put(loop, true) == null)
                        .forEach(inOrder::add);
            }
        }
        return inOrder;
    }

    /**
     * Appends all metrics in the Prometheus text format, version 0.0.4. Serve it as {@code text/plain; version=0.0.4}.
     *
     * @throws IOException if {@code out} throws it
     */
    public static void writePrometheus(Appendable out, ChannelFactory... factories) throws IOException {
        PrometheusText text = new PrometheusText();
        visit(text, factories);
        out.append(text.toString());
    }

    /** Calls a visitor with each metric. Metrics of loops have the labels {@code loop} and {@code role}. */
    public static void visit(MetricVisitor visitor, ChannelFactory... factories) {
        new Visit(visitor, loops(factories), loopless(factories)).run();
    }

    private static List<ConnectionCounters> loopless(ChannelFactory... factories) {
        return Arrays.stream(factories)
                .distinct()
                .map(ConnectionCounters::of)
                .filter(Objects::nonNull)
                .toList();
    }

    /** One pass over all metrics. */
    private record Visit(MetricVisitor to, List<LoopStats> loops, List<ConnectionCounters> loopless) {
        void run() {
            gauge("freshet_loop_channels", "Channels of an I/O loop.", LoopStats::getChannels);
            counter("freshet_loop_busy_seconds_total", "Time at work.", loop -> loop.getBusyNanos() / SECOND);
            counter("freshet_loop_iterations_total", "Iterations with something to do.", LoopStats::getIterations);
            histogram(
                    "freshet_loop_iteration_seconds",
                    "Duration of iterations.",
                    LoopStats::getIterationHistogram,
                    LoopStats::getBusyNanos);
            histogram(
                    "freshet_loop_queue_delay_seconds",
                    "How long tasks wait, sampled.",
                    LoopStats::getQueueDelayHistogram,
                    LoopStats::getQueueDelayNanos);
            counter("freshet_loop_ready_keys_total", "Channels found ready.", LoopStats::getReadyKeys);
            counter("freshet_loop_wake_ups_total", "Wake-ups by other threads.", LoopStats::getWakeUps);
            counter("freshet_loop_tasks_total", "Tasks run.", LoopStats::getTasksRun);
            gauge("freshet_loop_tasks_pending", "Tasks waiting.", LoopStats::getTasksPending);
            gauge("freshet_loop_stalled", "1 while a handler holds the loop.", loop -> loop.isStalled() ? 1 : 0);
            counter("freshet_reads_total", "System calls that received.", LoopStats::getReads);
            counter(
                    "freshet_bytes_read_total",
                    "Bytes received.",
                    LoopStats::getBytesRead,
                    ConnectionCounters::bytesRead);
            counter("freshet_writes_total", "System calls that sent.", LoopStats::getWrites);
            counter(
                    "freshet_bytes_written_total",
                    "Bytes sent.",
                    LoopStats::getBytesWritten,
                    ConnectionCounters::bytesWritten);
            counter(
                    "freshet_connections_opened_total",
                    "Connections.",
                    LoopStats::getConnectionsOpened,
                    ConnectionCounters::opened);
            open();
            closed();
            stalls();
            to.gauge(
                    "freshet_congested_channels",
                    "Channels that are not writable.",
                    Map.of(),
                    MemoryBudget.getCongestedChannels());
            to.gauge(
                    "freshet_queued_bytes",
                    "Bytes waiting to be sent on all channels.",
                    Map.of(),
                    MemoryBudget.getQueuedBytes());
            AcceptCounts.process()
                    .refusedByCause()
                    .forEach((cause, count) -> to.counter(
                            "freshet_connections_refused_total",
                            "Connections that servers refused.",
                            Map.of("cause", cause),
                            count));
            QUEUES.forEach(this::queue);
            UnobservedFailures.getCounts()
                    .forEach((cause, count) -> to.counter(
                            "freshet_unobserved_failures_total",
                            "Failed futures that nothing observed.",
                            Map.of("cause", cause),
                            count));
        }

        private void queue(String name, QueueStats queue) {
            Map<String, String> labels = Map.of("executor", name);
            to.gauge("freshet_executor_waiting", "Events waiting.", labels, queue.getWaiting());
            to.gauge(
                    "freshet_executor_oldest_wait_seconds",
                    "How long the oldest of them has waited.",
                    labels,
                    queue.getOldestWaitNanos() / SECOND);
        }

        private static Map<String, String> labels(LoopStats loop) {
            Map<String, String> labels = new TreeMap<>();
            labels.put("loop", loop.getName());
            labels.put("role", loop.getRole());
            return labels;
        }

        private void counter(String name, String help, ToDoubleFunction<LoopStats> value) {
            loops.forEach(loop -> to.counter(name, help, labels(loop), value.applyAsDouble(loop)));
        }

        private static Map<String, String> labels(ConnectionCounters counters) {
            Map<String, String> labels = new TreeMap<>();
            labels.put("loop", "none");
            labels.put("role", counters.role());
            return labels;
        }

        private void counter(
                String name,
                String help,
                ToDoubleFunction<LoopStats> value,
                ToDoubleFunction<ConnectionCounters> looplessValue) {
            counter(name, help, value);
            loopless.forEach(
                    counters -> to.counter(name, help, labels(counters), looplessValue.applyAsDouble(counters)));
        }

        private void open() {
            String name = "freshet_connections_open";
            String help = "Open connections.";
            gauge(name, help, Visit::open);
            loopless.forEach(counters -> to.gauge(name, help, labels(counters), counters.open()));
        }

        /** Reads the closed count first, so it cannot exceed the opened count. */
        private static double open(LoopStats loop) {
            long closed = loop.getConnectionsClosed().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            return loop.getConnectionsOpened() - closed;
        }

        private void gauge(String name, String help, ToDoubleFunction<LoopStats> value) {
            loops.forEach(loop -> to.gauge(name, help, labels(loop), value.applyAsDouble(loop)));
        }

        private void histogram(
                String name, String help, Function<LoopStats, long[]> counts, ToDoubleFunction<LoopStats> sumNanos) {
            for (LoopStats loop : loops) {
                double sum = sumNanos.applyAsDouble(loop) / SECOND;
                to.histogram(name, help, labels(loop), BOUNDS.clone(), coarse(counts.apply(loop)), sum);
            }
        }

        /** Merges the buckets at both ends into their neighbours. */
        private static long[] coarse(long[] counts) {
            long[] coarse = new long[BOUNDS.length + 1];
            for (int i = 0; i < counts.length; i++) {
                coarse[Math.max(0, Math.min(i - FIRST_BUCKET, BOUNDS.length))] += counts[i];
            }
            return coarse;
        }

        private void closed() {
            for (Kind kind : Kind.values()) {
                double sum = loops.stream()
                        .mapToLong(loop -> loop.getConnectionsClosed().getOrDefault(kind.name(), 0L))
                        .sum();
                sum += loopless.stream()
                        .mapToLong(counters -> counters.closed(kind))
                        .sum();
                to.counter(
                        "freshet_connections_closed_total",
                        "Connections closed, by reason.",
                        Map.of("reason", kind.name().toLowerCase(Locale.ROOT)),
                        sum);
            }
        }

        private void stalls() {
            LoopWatch.instance()
                    .stallsByType()
                    .forEach((type, count) -> to.counter(
                            "freshet_stalls_total", "Loops held for too long.", Map.of("handler", type), count));
        }
    }
}
