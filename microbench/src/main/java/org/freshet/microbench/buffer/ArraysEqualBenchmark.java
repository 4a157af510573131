package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * How close does comparing two heap buffers come to comparing two arrays, from 10 bytes to 100 KB?
 *
 * <p>The bytes are the same in both, so all of them are compared.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class ArraysEqualBenchmark {
    @Param({"10", "50", "100", "1000", "10000", "100000"})
    public int size;

    private byte[] array;
    private byte[] otherArray;
    private org.freshet.buffer.ChannelBuffer freshet;
    private org.freshet.buffer.ChannelBuffer otherFreshet;
    private org.jboss.netty.buffer.ChannelBuffer netty3;
    private org.jboss.netty.buffer.ChannelBuffer otherNetty3;
    private ByteBuf netty4;
    private ByteBuf otherNetty4;

    @Setup
    public void makeBuffers() {
        array = new byte[size];
        otherArray = new byte[size];
        freshet = FreshetBuffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        otherFreshet = FreshetBuffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        netty3 = Netty3Buffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        otherNetty3 = Netty3Buffers.make(BufferKind.HEAP, ByteOrder.BIG_ENDIAN, size);
        netty4 = Netty4Buffers.make(BufferKind.HEAP, size);
        otherNetty4 = Netty4Buffers.make(BufferKind.HEAP, size);
        if (!(arrays() && freshet() && netty3() && netty4())) {
            throw new IllegalStateException("bytes differ");
        }
    }

    @Benchmark
    public boolean arrays() {
        return Arrays.equals(array, otherArray);
    }

    @Benchmark
    public boolean freshet() {
        return org.freshet.buffer.ChannelBuffers.equals(freshet, otherFreshet);
    }

    @Benchmark
    public boolean netty3() {
        return org.jboss.netty.buffer.ChannelBuffers.equals(netty3, otherNetty3);
    }

    @Benchmark
    public boolean netty4() {
        return ByteBufUtil.equals(netty4, otherNetty4);
    }
}
