package org.freshet.channel.socket.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/**
 * Starts a number of loops on an executor, hands them out in rotation, and ends them. Any thread.
 *
 * <p>Each loop keeps a thread of the executor until {@link #shutdown}.
 */
abstract class LoopPool<L extends NioLoop> implements NioSelectorPool, ExternalResourceReleasable, LoopSource {
    /** What the loops of a pool do; the name of a thread says it, such as freshet-nio-worker-1. */
    enum Role {
        SERVER_BOSS("server-boss"),
        CLIENT_BOSS("client-boss"),
        WORKER("worker"),
        DATAGRAM_WORKER("datagram-worker");

        private final String title;
        private final AtomicInteger lastNumber = new AtomicInteger();

        Role(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        private String nextThreadName() {
            return "freshet-nio-" + title + "-" + lastNumber.incrementAndGet();
        }
    }

    /** How long an executor may take to give every loop its thread. */
    static final long START_TIMEOUT_MILLIS = 10_000;

    /** Workers of a factory without a number and an executor: two a processor. */
    static final int DEFAULT_WORKER_COUNT = Runtime.getRuntime().availableProcessors() * 2;

    private final Executor executor;
    private final Role role;
    private final List<L> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param determiner null for the one that {@link ThreadRenamingRunnable} has
     * @throws IllegalArgumentException if {@code count} is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread within {@code startTimeoutMillis}
     */
    LoopPool(Executor executor, int count, Role role, ThreadNameDeterminer determiner, long startTimeoutMillis) {
        if (executor == null) {
            throw new NullPointerException("executor");
        }
        if (count <= 0) {
            throw new IllegalArgumentException(role.title + " count <= 0: " + count);
        }
        this.executor = executor;
        this.role = role;
        refuseSmallExecutor(count);
        try {
            for (int i = 0; i < count; i++) {
                start(newLoop(executor), determiner);
            }
            awaitStarted(startTimeoutMillis);
        } catch (RuntimeException | Error e) {
            loops.forEach(NioLoop::abandon);
            throw e;
        }
    }

    /** Makes one of the loops; called by the constructor. */
    abstract L newLoop(Executor executor);

    /** Workers of a factory without a number: two a processor, but no more than the executor has threads for. */
    static int defaultWorkerCount(Executor workerExecutor) {
        return defaultWorkerCount(workerExecutor, null, 0);
    }

    /** As above, where bosses may need threads of the same executor. */
    static int defaultWorkerCount(Executor workerExecutor, Executor bossExecutor, int bossCount) {
        int threads = maxThreads(workerExecutor) - (workerExecutor == bossExecutor ? bossCount : 0);
        return Math.max(1, Math.min(threads, DEFAULT_WORKER_COUNT));
    }

    /** How many tasks that never return the executor runs at once, as far as it tells. */
    private static int maxThreads(Executor executor) {
        if (!(executor instanceof ThreadPoolExecutor pool)) {
            return Integer.MAX_VALUE;
        }
        boolean queuesTasks = pool.getQueue().remainingCapacity() > 0; // then it does not grow beyond its core
        return queuesTasks ? Math.max(1, pool.getCorePoolSize()) : pool.getMaximumPoolSize();
    }

    private void refuseSmallExecutor(int count) {
        int threads = maxThreads(executor);
        if (threads < count) {
            throw new IllegalStateException(tooFewThreads(count) + ": it runs at most " + threads + " tasks at once");
        }
    }

    private String tooFewThreads(int count) {
        return "the executor has too few threads for " + count + " " + role.title + " loops, each of which keeps one";
    }

    private void start(L loop, ThreadNameDeterminer determiner) {
        loops.add(loop);
        Thread caller = Thread.currentThread();
        ThreadRenamingRunnable renaming = new ThreadRenamingRunnable(loop, role.nextThreadName(), determiner);
        Runnable task = () -> {
            if (Thread.currentThread() == caller) {
                throw new RejectedExecutionException(
                        "the executor runs tasks in the calling thread, where a loop never returns");
            }
            renaming.run();
        };
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException(
                    "the executor refused to run a " + role.title + " loop: " + e.getMessage(), e);
        }
    }

    private void awaitStarted(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            for (L loop : loops) {
                if (!loop.awaitStarted(deadline - System.nanoTime())) {
                    throw new IllegalStateException(
                            tooFewThreads(loops.size()) + ": not all of them ran within " + timeoutMillis + " ms");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the " + role.title + " loops were starting", e);
        }
    }

    /** The next in rotation, but none that a handler holds, unless each is held. */
    final L next() {
        for (int i = 0; i < loops.size(); i++) {
            L loop = nextInRotation();
            if (!loop.counters().isStalled()) {
                return loop;
            }
        }
        return nextInRotation();
    }

    /** All of them, in their order. */
    final List<L> loops() {
        return loops;
    }

    private L nextInRotation() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    @Override
    public List<LoopStats> loopStats() {
        return loops.stream().map(NioLoop::stats).toList();
    }

    @Override
    public void rebuildSelectors() {
        loops.forEach(NioLoop::rebuildSelector);
    }

    @Override
    public void shutdown() {
        refuseOnIoThread();
        loops.forEach(NioLoop::requestStop);
        loops.forEach(NioLoop::awaitStopped);
    }

    /** Shuts the loops down, and then the executor if it is an {@link ExecutorService}. */
    @Override
    public void releaseExternalResources() {
        shutdown();
        if (executor instanceof ExecutorService service) {
            service.shutdown();
        }
    }

    static void refuseOnIoThread() {
        if (NioLoop.inAnyLoop()) {
            throw new IllegalStateException(
                    "shutdown() and releaseExternalResources() wait for I/O threads to end and were"
                            + " called from one, which would wait for ever: "
                            + Thread.currentThread().getName());
        }
    }
}
