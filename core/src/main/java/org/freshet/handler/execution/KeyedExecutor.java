package org.freshet.handler.execution;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.freshet.channel.ChannelEvent;
import org.freshet.internal.VirtualThreads;
import org.freshet.telemetry.QueueStats;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ObjectSizeEstimator;

/**
 * Adds order and memory limits to another executor: events of one channel run one after another, those of different
 * channels in parallel. Designed for virtual threads; each channel uses one while it has events:
 *
 * <pre>{@code
 * KeyedExecutor executor = KeyedExecutor.onVirtualThreads(1 << 20, 1 << 30);
 * Telemetry.addQueue("requests", executor); // if you want the queue in the metrics
 * ExecutionHandler handler = new ExecutionHandler(executor);
 * }</pre>
 *
 * <p>The limits are those of {@link MemoryAwareThreadPoolExecutor}, except that an event counts until it has run, since
 * there may be any number of threads. If the other executor refuses an event, this one refuses it. Accepted events run
 * to the end, in order. Tasks that are not events are passed on unchanged.
 *
 * <p>Any thread may call any method.
 */
public class KeyedExecutor implements Executor, QueueStats, ExternalResourceReleasable {
    private final Executor executor;
    private final MemoryLimits limits;
    private final LongSupplier nanoClock;

    /** The queues of the keys that currently have events. */
    private final ConcurrentMap<Object, KeyQueue> queues = new ConcurrentHashMap<>();

    /**
     * Creates an executor with a {@link DefaultObjectSizeEstimator}.
     *
     * @param executor runs a task for each channel that has events
     * @param maxChannelMemorySize when one channel's events reach this many bytes, it is not read; 0 means no limit
     * @param maxTotalMemorySize when all events together reach this many bytes, a channel that adds one is not read; 0
     *     means no limit
     */
    public KeyedExecutor(Executor executor, long maxChannelMemorySize, long maxTotalMemorySize) {
        this(executor, maxChannelMemorySize, maxTotalMemorySize, new DefaultObjectSizeEstimator());
    }

    /**
     * Creates an executor.
     *
     * @param executor runs a task for each channel that has events
     * @param maxChannelMemorySize when one channel's events reach this many bytes, it is not read; 0 means no limit
     * @param maxTotalMemorySize when all events together reach this many bytes, a channel that adds one is not read; 0
     *     means no limit
     * @param objectSizeEstimator estimates the size of each upstream event
     */
    public KeyedExecutor(
            Executor executor,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            ObjectSizeEstimator objectSizeEstimator) {
        this(executor, maxChannelMemorySize, maxTotalMemorySize, objectSizeEstimator, System::nanoTime);
    }

    /** For tests. */
    KeyedExecutor(
            Executor executor,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            ObjectSizeEstimator objectSizeEstimator,
            LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.executor = Objects.requireNonNull(executor, "executor");
        this.limits = new MemoryLimits(maxChannelMemorySize, maxTotalMemorySize, objectSizeEstimator);
    }

    /**
     * Returns an executor that starts a virtual thread for each channel that has events. You don't need to release it.
     *
     * @param maxChannelMemorySize when one channel's events reach this many bytes, it is not read; 0 means no limit
     * @param maxTotalMemorySize when all events together reach this many bytes, a channel that adds one is not read; 0
     *     means no limit
     * @throws IllegalStateException before Java 21, which has no virtual threads
     */
    public static KeyedExecutor onVirtualThreads(long maxChannelMemorySize, long maxTotalMemorySize) {
        if (!VirtualThreads.exist()) {
            throw new IllegalStateException("virtual threads need Java 21 or later; this is Java " + Runtime.version());
        }
        return new KeyedExecutor(VirtualThreads.executor(), maxChannelMemorySize, maxTotalMemorySize);
    }

    /**
     * Returns the key of an event, by default its channel; never null. Events with equal keys run one after another.
     * Called on the thread that submits the event.
     */
    protected Object getKey(ChannelEvent e) {
        return e.getChannel();
    }

    /** Returns the bytes of all events that wait or run; 0 if there are no limits. */
    public long getTotalMemorySize() {
        return limits.totalBytes();
    }

    /** Returns the number of accepted events that are not running yet. It visits each key that has events. */
    @Override
    public int getWaiting() {
        return queues.values().stream().mapToInt(SerialTaskQueue::waiting).sum();
    }

    @Override
    public long getOldestWaitNanos() {
        long nowNanos = nanoClock.getAsLong();
        return queues.values().stream()
                .map(SerialTaskQueue::oldest)
                .mapToLong(event -> event == null ? 0 : nowNanos - ((ChannelEventRunnable) event).acceptedNanos)
                .reduce(0, Math::max); // an event accepted since then has a negative time
    }

    @Override
    public void execute(Runnable task) {
        if (!(task instanceof ChannelEventRunnable event)) {
            executor.execute(task);
            return;
        }
        try {
            if (MemoryAwareThreadPoolExecutor.carriesData(event)) {
                limits.charge(event);
            }
            event.acceptedNanos = nanoClock.getAsLong();
            Object key = Objects.requireNonNull(getKey(event.getEvent()), "getKey returned null");
            KeyQueue queue = queues.computeIfAbsent(key, KeyQueue::new);
            while (!queue.offer(event)) {
                queue.onRetired();
                queue = queues.computeIfAbsent(key, KeyQueue::new);
            }
        } catch (Throwable e) {
            limits.release(event);
            throw e;
        }
    }

    /** Shuts the other executor down, like {@link ExecutionHandler#releaseExternalResources()}. */
    @Override
    public void releaseExternalResources() {
        ExecutorRelease.release(executor);
    }

    private final class KeyQueue extends SerialTaskQueue {
        private final Object key;

        KeyQueue(Object key) {
            this.key = key;
        }

        @Override
        void schedule() {
            executor.execute(this);
        }

        @Override
        void runTask(Runnable task) {
            try {
                task.run();
            } finally {
                limits.release((ChannelEventRunnable) task);
            }
        }

        @Override
        void onRetired() {
            queues.remove(key, this);
        }

        @Override
        void onLost(List<Runnable> tasks, Throwable cause) {
            tasks.forEach(task -> limits.release((ChannelEventRunnable) task));
            LostEvents.report(tasks, cause);
        }
    }
}
