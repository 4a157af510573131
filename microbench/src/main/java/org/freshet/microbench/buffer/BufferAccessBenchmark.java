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
 * What does it cost to get or set a value of each width in a buffer of each kind, in either byte order?
 *
 * <p>Each call walks over {@value #OPERATIONS} positions of a buffer that fits into the first-level cache. The result
 * is the time of one get or set in such a walk, including checks and byte swaps; the compiler may merge operations.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class BufferAccessBenchmark {
    static final int OPERATIONS = 128;

    private static final long PROBE = 0x0123_4567_89AB_CDEFL;

    @Param
    public Library library;

    @Param
    public BufferKind kind;

    @Param({"big", "little"})
    public String order;

    private BufferAccess buffer;

    @Setup
    public void makeBuffer() {
        boolean big = order.equals("big");
        ByteOrder byteOrder = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int capacity = OPERATIONS * Long.BYTES;
        buffer = switch (library) {
            case FRESHET -> new FreshetAccess(FreshetBuffers.make(kind, byteOrder, capacity));
            case NETTY3 -> new Netty3Access(Netty3Buffers.make(kind, byteOrder, capacity));
            case NETTY4 ->
                big
                        ? new Netty4Access(Netty4Buffers.make(kind, capacity))
                        : new Netty4LittleAccess(Netty4Buffers.make(kind, capacity));
        };
        buffer.setLong(0, PROBE);
        if (buffer.getLong(0) != PROBE || buffer.getByte(0) != (big ? PROBE >> 56 : (byte) PROBE)) {
            throw new IllegalStateException(library + ": differs from the bytes set");
        }
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long getByte() {
        long sum = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            sum += buffer.getByte(i);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long getShort() {
        long sum = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            sum += buffer.getShort(i * 2);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long getMedium() {
        long sum = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            sum += buffer.getMedium(i * 3);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long getInt() {
        long sum = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            sum += buffer.getInt(i * 4);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public long getLong() {
        long sum = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            sum += buffer.getLong(i * 8);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object setByte() {
        for (int i = 0; i < OPERATIONS; i++) {
            buffer.setByte(i, i);
        }
        return buffer;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object setShort() {
        for (int i = 0; i < OPERATIONS; i++) {
            buffer.setShort(i * 2, i);
        }
        return buffer;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object setMedium() {
        for (int i = 0; i < OPERATIONS; i++) {
            buffer.setMedium(i * 3, i);
        }
        return buffer;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object setInt() {
        for (int i = 0; i < OPERATIONS; i++) {
            buffer.setInt(i * 4, i);
        }
        return buffer;
    }

    @Benchmark
    @OperationsPerInvocation(OPERATIONS)
    public Object setLong() {
        for (int i = 0; i < OPERATIONS; i++) {
            buffer.setLong(i * 8, i);
        }
        return buffer;
    }
}
