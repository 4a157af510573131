package org.freshet.microbench.operations;

import java.util.concurrent.TimeUnit;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.microbench.JvmFlags;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do the counters of an I/O loop cost per channel served, per task, per turn, and per turn including the clock it
 * reads? The last is an upper bound: the loop read the clock once per turn even before it counted.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class LoopCountersBenchmark {
    private final LoopCounters counters = new LoopCounters();
    private int id;
    private long nowNanos = 1;

    @Benchmark
    public void channel() {
        counters.beginChannel(++id);
    }

    @Benchmark
    public void task() {
        counters.beginTask();
    }

    /** The clock alone. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    @Benchmark
    public void turn() {
        counters.onReadyKey();
        counters.beginWork(nowNanos);
        counters.endWork(nowNanos += 12_345);
    }

    @Benchmark
    public void turnWithClock() {
        counters.onReadyKey();
        counters.beginWork(System.nanoTime());
        counters.endWork(System.nanoTime());
    }
}
