package org.freshet.channel.socket.nio;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.pool.LoopStart;
import org.freshet.channel.socket.nio.pool.WorkerChooser;
import org.freshet.util.ThreadNameDeterminer;

/** The loops that read and write TCP connections. Each keeps a thread of the executor until {@link #shutdown()}. Any thread. */
public class NioWorkerPool extends LoopPool<NioWorker> implements WorkerPool<NioWorker> {
    /** Null for one worker after the other. */
    private final WorkerChooser<LoopLoad> chooser;

    /**
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount) {
        this(executor, workerCount, null);
    }

    /**
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(Executor executor, int workerCount, ThreadNameDeterminer determiner) {
        this(executor, workerCount, determiner, WorkerSelection.ROUND_ROBIN);
    }

    /**
     * @param determiner decides the names of the threads; null leaves it to {@link org.freshet.util.ThreadRenamingRunnable}
     * @param selection which worker gets the next connection
     * @throws IllegalArgumentException if the count is not positive
     * @throws IllegalStateException if the executor does not give every loop a thread
     */
    public NioWorkerPool(
            Executor executor, int workerCount, ThreadNameDeterminer determiner, WorkerSelection selection) {
        super(executor, workerCount, LoopRole.WORKER, determiner, LoopStart.TIMEOUT_MILLIS);
        chooser = selection == WorkerSelection.ROUND_ROBIN ? null : newChooser();
    }

    private WorkerChooser<LoopLoad> newChooser() {
        List<LoopLoad> loads = loops().stream().map(LoopLoad::new).toList();
        return new WorkerChooser<>(loads, bound -> ThreadLocalRandom.current().nextInt(bound));
    }

    @Override
    final NioWorker newLoop(Executor executor) {
        return newWorker(executor);
    }

    /** Makes one of the loops; called by the constructor. The pool starts it. */
    protected NioWorker newWorker(Executor executor) {
        return new NioWorker(Platform.DEFAULT);
    }

    @Override
    public NioWorker nextWorker() {
        LoopLoad chosen = chooser == null ? null : chooser.choose();
        return chosen == null ? next() : chosen.worker();
    }
}
