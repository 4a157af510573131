package org.freshet.microbench.operations;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.socket.nio.NioWorkerPool;
import org.freshet.channel.socket.nio.WorkerSelection;
import org.freshet.microbench.JvmFlags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What does it cost to choose the worker of a new connection? The workers have nothing to do. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class WorkerChoiceBenchmark {
    @Param
    public WorkerSelection selection;

    @Param({"4", "16"})
    public int workers;

    private ExecutorService threads;
    private NioWorkerPool pool;

    @Setup
    public void start() {
        threads = Executors.newCachedThreadPool();
        pool = new NioWorkerPool(threads, workers, null, selection);
    }

    @TearDown
    public void stop() {
        pool.releaseExternalResources();
    }

    @Benchmark
    public Object choose() {
        return pool.nextWorker();
    }
}
