package org.freshet.channel.socket.nio.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.socket.nio.loop.LoopThread;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/**
 * Starts the loops of a pool on an executor. The executor must have enough threads, because each loop keeps one. For
 * use by the thread that creates the pool.
 */
public final class LoopStart {
    /** How long an executor may take to give every loop its thread. */
    public static final long TIMEOUT_MILLIS = 10_000;

    /** Workers of a factory if neither a number nor an executor is given: two per processor. */
    public static final int DEFAULT_WORKER_COUNT = Runtime.getRuntime().availableProcessors() * 2;

    private final Executor executor;
    private final LoopRole role;
    private final ThreadNameDeterminer determiner;
    private final List<LoopThread> threads = new ArrayList<>();

    /**
     * @param determiner null uses the default of {@link ThreadRenamingRunnable}
     * @throws IllegalStateException if the executor cannot have that many threads
     */
    public LoopStart(Executor executor, int count, LoopRole role, ThreadNameDeterminer determiner) {
        this.executor = executor;
        this.role = role;
        this.determiner = determiner;
        int most = maxThreads(executor);
        if (most < count) {
            throw new IllegalStateException(tooFewThreads(count) + ": it runs at most " + most + " tasks at a time");
        }
    }

    /** Workers of a factory if no number is given: two per processor, but no more than the executor has threads for. */
    public static int defaultWorkerCount(Executor workerExecutor) {
        return defaultWorkerCount(workerExecutor, null, 0);
    }

    /** Same as above, if bosses may need threads of the same executor. */
    public static int defaultWorkerCount(Executor workerExecutor, Executor bossExecutor, int bossCount) {
        int threads = maxThreads(workerExecutor) - (workerExecutor == bossExecutor ? bossCount : 0);
        return Math.max(1, Math.min(threads, DEFAULT_WORKER_COUNT));
    }

    /** Returns how many never-ending tasks the executor can run concurrently, as far as can be determined. */
    private static int maxThreads(Executor executor) {
        if (!(executor instanceof ThreadPoolExecutor pool)) {
            return Integer.MAX_VALUE;
        }
        boolean queuesTasks = pool.getQueue().remainingCapacity() > 0; // if so, it does not grow beyond its core
        return queuesTasks ? Math.max(1, pool.getCorePoolSize()) : pool.getMaximumPoolSize();
    }

    private String tooFewThreads(int count) {
        return "the executor has too few threads for " + count + " " + role.title() + " loops; each loop keeps one";
    }

    /** @throws IllegalStateException if the executor refuses */
    public void start(Runnable loop, LoopThread thread) {
        threads.add(thread);
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
                    "the executor refused to run a " + role.title() + " loop: " + e.getMessage(), e);
        }
    }

    /** @throws IllegalStateException if the executor does not give every loop a thread in time */
    public void await(long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            for (LoopThread thread : threads) {
                if (!thread.awaitStarted(deadline - System.nanoTime())) {
                    throw new IllegalStateException(
                            tooFewThreads(threads.size()) + ": not all of them ran within " + timeoutMillis + " ms");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the " + role.title() + " loops were starting", e);
        }
    }
}
