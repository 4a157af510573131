package org.freshet.microbench.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.Library;
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

/**
 * What does it cost to receive bytes, from the peer's {@code write} until a handler has all of them?
 *
 * <p>The result includes two threads and their sleeping, and the same system calls for all; the difference is the
 * libraries' own cost.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class ReceiveBenchmark {
    @Param
    public Library library;

    @Param({"64", "16384"})
    public int size;

    private final Semaphore received = new Semaphore(0);
    private ByteBuffer message;
    private Peer peer;
    private Connection connection;

    /** I/O thread only. */
    private int missing;

    @Setup
    public void connect() throws IOException, InterruptedException {
        message = ByteBuffer.allocateDirect(size);
        missing = size;
        peer = new Peer();
        connection = Connection.open(library, peer, this::onReceived);
    }

    private void onReceived(int bytes) {
        missing -= bytes;
        if (missing == 0) {
            missing = size;
            received.release();
        }
    }

    @TearDown
    public void close() throws IOException {
        connection.close();
        peer.close();
    }

    @Benchmark
    public void receive() throws IOException, InterruptedException {
        peer.socket().write(message.clear());
        received.acquire();
    }
}
