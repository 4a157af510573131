package org.freshet.channel.socket.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;
import org.freshet.util.ExternalResourceReleasable;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/**
 * Starts a number of loops on an executor, hands them out in rotation, and stops them. Any thread may call it.
 *
 * <p>Each loop occupies a thread of the executor until {@link #shutdown}.
 */
abstract class LoopPool<L extends NioLoop> implements NioSelectorPool, ExternalResourceReleasable, LoopSource {
    private final Executor executor;
    private final List<L> loops = new ArrayList<>();
    private final AtomicInteger next = new AtomicInteger();

    /**
     * @param determiner null uses the default of {@link ThreadRenamingRunnable}
     * @throws IllegalArgumentException if {@code count} is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread within {@code startTimeoutMillis}
     */
    LoopPool(Executor executor, int count, LoopRole role, ThreadNameDeterminer determiner, long startTimeoutMillis) {
        if (executor == null) {
            throw new NullPointerException("executor");
        }
        if (count <= 0) {
            throw new IllegalArgumentException(role.title() + " count <= 0: " + count);
        }
        this.executor = executor;
        LoopStart start = new LoopStart(executor, count, role, determiner);
        try {
            for (int i = 0; i < count; i++) {
                L loop = newLoop(executor);
                loops.add(loop);
                start.start(loop, loop.thread());
            }
            start.await(startTimeoutMillis);
        } catch (RuntimeException | Error e) {
            loops.forEach(NioLoop::abandon);
            throw e;
        }
    }

    /** Creates one of the loops. Called by the constructor. */
    abstract L newLoop(Executor executor);

    /** Returns the next loop in rotation, skipping loops held by a handler unless all are. */
    final L next() {
        for (int i = 0; i < loops.size(); i++) {
            L loop = nextInRotation();
            if (!loop.counters().isStalled()) {
                return loop;
            }
        }
        return nextInRotation();
    }

    /** Returns all loops, in order. */
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

    /** Shuts down the loops, and then the executor if it is an {@link ExecutorService}. */
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
                            + " called from one, which would wait for itself: "
                            + Thread.currentThread().getName());
        }
    }
}
