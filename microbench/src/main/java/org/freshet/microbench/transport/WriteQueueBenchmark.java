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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a small message cost from {@code write} until the socket has taken it: if one thread writes, if several
 * write to the same channel, and if the channel's own I/O thread writes?
 *
 * <p>A thread writes {@value #MESSAGES} messages and then sleeps until the last has left; the result is the time of one
 * message. With Netty 4.2, it flushes after the last one. The peer reads and drops everything.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class WriteQueueBenchmark {
    static final int MESSAGES = 32;

    private static final int MESSAGE_BYTES = 64;

    @Param
    public Library library;

    private final byte[] message = new byte[MESSAGE_BYTES];
    private Peer peer;
    private Connection connection;

    /** A writing thread. */
    @State(Scope.Thread)
    public static class Writer {
        private final Semaphore sent = new Semaphore(0);
    }

    @Setup
    public void connect() throws IOException, InterruptedException {
        peer = new Peer();
        connection = Connection.open(library, peer, bytes -> {});
        peer.drain();
    }

    @TearDown
    public void close() throws IOException {
        connection.close();
        peer.close();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void oneThread(Writer writer) throws InterruptedException {
        write(writer);
    }

    @Benchmark
    @Threads(4)
    @OperationsPerInvocation(MESSAGES)
    public void fourThreads(Writer writer) throws InterruptedException {
        write(writer);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void ioThread(Writer writer) throws InterruptedException {
        connection.execute(() -> connection.write(MESSAGES, message, writer.sent::release));
        writer.sent.acquire();
    }

    private void write(Writer writer) throws InterruptedException {
        connection.write(MESSAGES, message, writer.sent::release);
        writer.sent.acquire();
    }
}
