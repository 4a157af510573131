package org.freshet.microbench.buffer;

import java.nio.ByteOrder;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to write and read a buffer in order, like an encoder and a decoder?
 *
 * <p>A record is a byte, a short, a medium, an int and a long. The result is the time of one record, or of one byte in
 * the tests that go byte by byte. The buffer has enough room from the start.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class RelativeAccessBenchmark {
    static final int RECORDS = 64;
    static final int SINGLE_BYTES = RECORDS * Records.BYTES;

    @Param
    public Library library;

    @Param
    public BufferKind kind;

    @Param({"big", "little"})
    public String order;

    private Records buffer;

    @Setup
    public void makeBuffer() {
        boolean big = order.equals("big");
        ByteOrder byteOrder = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        buffer = switch (library) {
            case FRESHET -> new FreshetRecords(FreshetBuffers.make(kind, byteOrder, SINGLE_BYTES));
            case NETTY3 -> new Netty3Records(Netty3Buffers.make(kind, byteOrder, SINGLE_BYTES));
            case NETTY4 ->
                big
                        ? new Netty4Records(Netty4Buffers.make(kind, SINGLE_BYTES))
                        : new Netty4LittleRecords(Netty4Buffers.make(kind, SINGLE_BYTES));
        };
        buffer.writeRecords(RECORDS);
        long expected = 5L * RECORDS * (RECORDS - 1) / 2;
        if (buffer.readRecords(RECORDS) != expected) {
            throw new IllegalStateException(library + ": differs from the records written");
        }
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public Object writeRecord() {
        return buffer.writeRecords(RECORDS);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public long readRecord() {
        return buffer.readRecords(RECORDS);
    }

    @Benchmark
    @OperationsPerInvocation(SINGLE_BYTES)
    public Object writeByte() {
        return buffer.writeBytes(SINGLE_BYTES);
    }

    @Benchmark
    @OperationsPerInvocation(SINGLE_BYTES)
    public long readByte() {
        return buffer.readBytes(SINGLE_BYTES);
    }
}
