package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteOrder;
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
import org.openjdk.jmh.annotations.Warmup;

/** What does it cost to compare equal buffers, of the same kind or of different kinds, and to hash them? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class BufferComparisonBenchmark {
    @Param
    public Library library;

    @Param({"HEAP", "DIRECT", "COMPOSITE"})
    public BufferKind kind;

    @Param({"HEAP", "DIRECT"})
    public BufferKind otherKind;

    @Param({"16", "1024"})
    public int size;

    private Comparison comparison;

    /** Two buffers under test with the same bytes. */
    private interface Comparison {
        boolean equal();

        int compare();

        /** Hashes the first buffer. */
        int hash();
    }

    @Setup
    public void makeBuffers() {
        comparison = switch (library) {
            case FRESHET -> freshet();
            case NETTY3 -> netty3();
            case NETTY4 -> netty4();
        };
        if (!comparison.equal() || comparison.compare() != 0) {
            throw new IllegalStateException(library + ": equal bytes compare as different");
        }
    }

    @Benchmark
    public boolean equal() {
        return comparison.equal();
    }

    @Benchmark
    public int compare() {
        return comparison.compare();
    }

    @Benchmark
    public int hash() {
        return comparison.hash();
    }

    private Comparison freshet() {
        var left = FreshetBuffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        var right = FreshetBuffers.make(otherKind, ByteOrder.BIG_ENDIAN, size);
        return new Comparison() {
            @Override
            public boolean equal() {
                return org.freshet.buffer.ChannelBuffers.equals(left, right);
            }

            @Override
            public int compare() {
                return org.freshet.buffer.ChannelBuffers.compare(left, right);
            }

            @Override
            public int hash() {
                return org.freshet.buffer.ChannelBuffers.hashCode(left);
            }
        };
    }

    private Comparison netty3() {
        var left = Netty3Buffers.make(kind, ByteOrder.BIG_ENDIAN, size);
        var right = Netty3Buffers.make(otherKind, ByteOrder.BIG_ENDIAN, size);
        return new Comparison() {
            @Override
            public boolean equal() {
                return org.jboss.netty.buffer.ChannelBuffers.equals(left, right);
            }

            @Override
            public int compare() {
                return org.jboss.netty.buffer.ChannelBuffers.compare(left, right);
            }

            @Override
            public int hash() {
                return org.jboss.netty.buffer.ChannelBuffers.hashCode(left);
            }
        };
    }

    private Comparison netty4() {
        ByteBuf left = Netty4Buffers.make(kind, size);
        ByteBuf right = Netty4Buffers.make(otherKind, size);
        return new Comparison() {
            @Override
            public boolean equal() {
                return ByteBufUtil.equals(left, right);
            }

            @Override
            public int compare() {
                return ByteBufUtil.compare(left, right);
            }

            @Override
            public int hash() {
                return ByteBufUtil.hashCode(left);
            }
        };
    }
}
