package org.freshet.microbench.transport;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to run a task on an I/O thread, from the call until it is done?
 *
 * <p>{@code sleeping}: the I/O thread waits for its sockets and has to be woken for each task. {@code busy}: it gets
 * {@value #TASKS} tasks in a row, and the result is the time of one of them. The calling thread sleeps meanwhile.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class WakeUpBenchmark {
    static final int TASKS = 64;

    @Param
    public Library library;

    private final Semaphore done = new Semaphore(0);
    private Peer peer;
    private Connection connection;

    @Setup
    public void connect() throws IOException, InterruptedException {
        peer = new Peer();
        connection = Connection.open(library, peer, bytes -> {});
    }

    @TearDown
    public void close() throws IOException {
        connection.close();
        peer.close();
    }

    @Benchmark
    public void sleeping() throws InterruptedException {
        connection.execute(done::release);
        done.acquire();
    }

    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void busy() throws InterruptedException {
        for (int i = 0; i < TASKS; i++) {
            connection.execute(done::release);
        }
        done.acquire(TASKS);
    }
}
