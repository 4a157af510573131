package org.freshet.channel.socket.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/**
 * Starts a number of loops on an executor, deals them out in turn, and ends them. Any thread.
 *
 * <p>Each loop keeps a thread of the executor until {@link #shutdown}.
 */
final class LoopPool<L extends NioLoop> {
    /** How long an executor may take to give every loop its thread. */
    private static final long START_TIMEOUT_MILLIS = 10_000;

    private static final AtomicInteger threadNumbers = new AtomicInteger();

    private final Executor executor;
    private final List<L> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param role what the thread names say, such as "worker"
     * @param determiner null for the one that {@link ThreadRenamingRunnable} has
     * @throws IllegalArgumentException if {@code count} is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    LoopPool(
            Executor executor, int count, String role, ThreadNameDeterminer determiner, Function<Executor, L> newLoop) {
        this(executor, count, role, determiner, newLoop, START_TIMEOUT_MILLIS);
    }

    LoopPool(
            Executor executor,
            int count,
            String role,
            ThreadNameDeterminer determiner,
            Function<Executor, L> newLoop,
            long startTimeoutMillis) {
        if (executor == null) {
            throw new NullPointerException("executor");
        }
        if (count <= 0) {
            throw new IllegalArgumentException(role + "Count <= 0: " + count);
        }
        this.executor = executor;
        refuseSmallExecutor(executor, count, role);
        try {
            for (int i = 0; i < count; i++) {
                start(newLoop.apply(executor), role, determiner);
            }
            awaitStarted(role, startTimeoutMillis);
        } catch (RuntimeException | Error e) {
            loops.forEach(NioLoop::abandon);
            throw e;
        }
    }

    private static void refuseSmallExecutor(Executor executor, int count, String role) {
        if (executor instanceof ThreadPoolExecutor pool && pool.getMaximumPoolSize() < count) {
            throw new IllegalStateException(
                    tooSmall(count, role) + ": its maximumPoolSize is " + pool.getMaximumPoolSize());
        }
    }

    private static String tooSmall(int count, String role) {
        return "the executor has too few threads for " + count + " " + role + " loops, each of which keeps one";
    }

    private void start(L loop, String role, ThreadNameDeterminer determiner) {
        loops.add(loop);
        String name = "New I/O " + role + " #" + threadNumbers.incrementAndGet();
        Thread caller = Thread.currentThread();
        ThreadRenamingRunnable renaming = new ThreadRenamingRunnable(loop, name, determiner);
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
            throw new IllegalStateException("the executor refused to run a " + role + " loop: " + e.getMessage(), e);
        }
    }

    private void awaitStarted(String role, long timeoutMillis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            for (L loop : loops) {
                if (!loop.awaitStarted(deadline - System.nanoTime())) {
                    throw new IllegalStateException(
                            tooSmall(loops.size(), role) + ": not all of them ran within " + timeoutMillis + " ms");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the " + role + " loops were starting", e);
        }
    }

    L next() {
        return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    void rebuildSelectors() {
        loops.forEach(NioLoop::requestRebuild);
    }

    /**
     * @throws IllegalStateException if the caller is an I/O thread
     */
    void shutdown() {
        refuseOnIoThread();
        loops.forEach(NioLoop::requestStop);
        loops.forEach(NioLoop::awaitStopped);
    }

    /** Ends the executor too, where it can be ended. */
    void releaseExternalResources() {
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
