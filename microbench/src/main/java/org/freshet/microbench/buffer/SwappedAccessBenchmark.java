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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What is cheapest for a protocol in the other byte order: a buffer with that order, or one with the usual order and
 * numbers swapped by hand?
 *
 * <p>{@code asIs} uses a big endian buffer without a swap, {@code ordered} a little endian one, {@code byHand} a big
 * endian one and swaps each number. Netty 4.2 has a swapping view. The result is the time of one int.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class SwappedAccessBenchmark {
    static final int INTS = 128;

    @Param
    public Library library;

    @Param({"HEAP", "DIRECT"})
    public BufferKind kind;

    private Ints usual;
    private Ints other;

    /** A buffer under test; each method goes through all of it from the start. */
    private interface Ints {
        Object write();

        Object writeSwapped();

        /** Returns the sum. */
        long read();

        /** Returns the sum of the swapped numbers. */
        long readSwapped();
    }

    @Setup
    public void makeBuffers() {
        usual = make(ByteOrder.BIG_ENDIAN);
        other = make(ByteOrder.LITTLE_ENDIAN);
        long expected = INTS * (INTS - 1) / 2;
        usual.writeSwapped();
        other.write();
        if (usual.readSwapped() != expected || other.read() != expected) {
            throw new IllegalStateException(library + ": differs from the numbers written");
        }
    }

    private Ints make(ByteOrder order) {
        return switch (library) {
            case FRESHET -> freshet(order);
            case NETTY3 -> netty3(order);
            case NETTY4 -> netty4(order);
        };
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public Object writeAsIs() {
        return usual.write();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public Object writeOrdered() {
        return other.write();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public Object writeByHand() {
        return usual.writeSwapped();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public long readAsIs() {
        return usual.read();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public long readOrdered() {
        return other.read();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public long readByHand() {
        return usual.readSwapped();
    }

    private Ints freshet(ByteOrder order) {
        var buffer = FreshetBuffers.make(kind, order, INTS * Integer.BYTES);
        return new Ints() {
            @Override
            public Object write() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(i);
                }
                return buffer;
            }

            @Override
            public Object writeSwapped() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(org.freshet.buffer.ChannelBuffers.swapInt(i));
                }
                return buffer;
            }

            @Override
            public long read() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += buffer.readInt();
                }
                return sum;
            }

            @Override
            public long readSwapped() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += org.freshet.buffer.ChannelBuffers.swapInt(buffer.readInt());
                }
                return sum;
            }
        };
    }

    private Ints netty3(ByteOrder order) {
        var buffer = Netty3Buffers.make(kind, order, INTS * Integer.BYTES);
        return new Ints() {
            @Override
            public Object write() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(i);
                }
                return buffer;
            }

            @Override
            public Object writeSwapped() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(org.jboss.netty.buffer.ChannelBuffers.swapInt(i));
                }
                return buffer;
            }

            @Override
            public long read() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += buffer.readInt();
                }
                return sum;
            }

            @Override
            public long readSwapped() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += org.jboss.netty.buffer.ChannelBuffers.swapInt(buffer.readInt());
                }
                return sum;
            }
        };
    }

    @SuppressWarnings("deprecation") // the only way to swap for others that read and write
    private Ints netty4(ByteOrder order) {
        ByteBuf buffer = Netty4Buffers.make(kind, INTS * Integer.BYTES).order(order);
        return new Ints() {
            @Override
            public Object write() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(i);
                }
                return buffer;
            }

            @Override
            public Object writeSwapped() {
                buffer.clear();
                for (int i = 0; i < INTS; i++) {
                    buffer.writeInt(ByteBufUtil.swapInt(i));
                }
                return buffer;
            }

            @Override
            public long read() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += buffer.readInt();
                }
                return sum;
            }

            @Override
            public long readSwapped() {
                buffer.setIndex(0, INTS * Integer.BYTES);
                long sum = 0;
                for (int i = 0; i < INTS; i++) {
                    sum += ByteBufUtil.swapInt(buffer.readInt());
                }
                return sum;
            }
        };
    }
}
