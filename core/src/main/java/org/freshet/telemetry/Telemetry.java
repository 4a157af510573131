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
 * The numbers of the I/O loops of channel factories, as objects, as the text that Prometheus scrapes, or for any other monitoring by a {@link
 * MetricVisitor}.
 *
 * <p>Loops count all the time; to read costs them nothing. Only factories of the NIO transport have loops. Those of blocking I/O and of the
 * local transport have connections and bytes alone, with {@code none} in place of a loop's name, and one of {@code oio-server}, {@code
 * oio-client}, {@code oio-datagram}, {@code local-server} and {@code local-client} as the role. Any thread may call.
 *
 * <pre>{@code
 * StringBuilder text = new StringBuilder();
 * Telemetry.writePrometheus(text, bootstrap.getFactory());
 * }</pre>
 */
public final class Telemetry {
    private static final double SECOND = 1e9;

    /** From a microsecond to a minute: finer and coarser ones would only make the text longer. */
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
     * Has a queue measured: its metrics have the name as the label {@code executor}. It is kept until {@link #removeQueue}.
     *
     * @param queue such as a {@link org.freshet.handler.execution.KeyedExecutor}
     * @throws IllegalArgumentException if another queue has the name
     */
    public static void addQueue(String name, QueueStats queue) {
        Objects.requireNonNull(queue, "queue");
        QueueStats present = QUEUES.putIfAbsent(Objects.requireNonNull(name, "name"), queue);
        if (present != null && present != queue) {
            throw new IllegalArgumentException("name of another queue: " + name);
        }
    }

    /** Returns false if no queue has the name. */
    public static boolean removeQueue(String name) {
        return QUEUES.remove(Objects.requireNonNull(name, "name")) != null;
    }

    /**
     * The loops of some factories. A loop that several of them share is in the list once.
     *
     * @return live views: they can be kept, and asked again
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
     * Appends all metrics in Prometheus's text format, version 0.0.4, whose content type is {@code text/plain; version=0.0.4}.
     *
     * @throws IOException if {@code out} throws it
     */
    public static void writePrometheus(Appendable out, ChannelFactory... factories) throws IOException {
        PrometheusText text = new PrometheusText();
        visit(text, factories);
        out.append(text.toString());
    }

    /** Calls a visitor with each metric: those of loops with the labels {@code loop} and {@code role}. */
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

    /** One round through all metrics. */
    private record Visit(MetricVisitor to, List<LoopStats> loops, List<ConnectionCounters> loopless) {
        void run() {
            gauge("freshet_loop_channels", "Channels of an I/O loop.", LoopStats::getChannels);
            counter("freshet_loop_busy_seconds_total", "Time at work.", loop -> loop.getBusyNanos() / SECOND);
            counter("freshet_loop_turns_total", "Iterations with something to do.", LoopStats::getTurns);
            histogram(
                    "freshet_loop_turn_seconds",
                    "Duration of iterations.",
                    LoopStats::getTurnHistogram,
                    LoopStats::getBusyNanos);
            histogram(
                    "freshet_loop_queue_delay_seconds",
                    "How long tasks wait, sampled.",
                    LoopStats::getQueueDelayHistogram,
                    LoopStats::getQueueDelayNanos);
            counter("freshet_loop_ready_keys_total", "Channels found ready.", LoopStats::getReadyKeys);
            counter("freshet_loop_wake_ups_total", "Waits ended by other threads.", LoopStats::getWakeUps);
            counter("freshet_loop_tasks_total", "Tasks run.", LoopStats::getTasksRun);
            gauge("freshet_loop_tasks_pending", "Tasks that wait.", LoopStats::getTasksPending);
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
                    "What waits to be sent on all channels.",
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
                            "Futures that failed while nobody looked.",
                            Map.of("cause", cause),
                            count));
        }

        private void queue(String name, QueueStats queue) {
            Map<String, String> labels = Map.of("executor", name);
            to.gauge("freshet_executor_waiting", "Events that wait.", labels, queue.getWaiting());
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
            String help = "Connections that are open.";
            gauge(name, help, Visit::open);
            loopless.forEach(counters -> to.gauge(name, help, labels(counters), counters.open()));
        }

        /** What is closed first: it must not be more than what was opened. */
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

        /** The counts of the buckets at both ends are added to those next to them. */
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
