package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteOrder;
import java.util.Random;
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
 * What does it cost to combine several buffers without a copy, and to use the result?
 *
 * <p>The ints are at random positions: in one part ({@code Within}), or half in one and half in the next
 * ({@code Across}). The result is the time of one of them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class CompositeBenchmark {
    static final int INTS = 1024;

    private static final int PART_BYTES = 64;
    private static final int SEED = 1;

    @Param
    public Library library;

    @Param({"2", "16"})
    public int parts;

    private final int[] within = new int[INTS];
    private final int[] across = new int[INTS];
    private Composite composite;

    /** The parts and a composite under test. */
    private interface Composite {
        /** Makes another composite of the parts. */
        Object wrap();

        /** Returns the sum. */
        long getInts(int[] indices);

        Object setInts(int[] indices);

        /** A slice of all but half of the first and half of the last part. */
        Object slice();

        Object toByteBuffers();

        Object copy();
    }

    @Setup
    public void makeParts() {
        Random random = new Random(SEED);
        for (int i = 0; i < INTS; i++) {
            within[i] = random.nextInt(parts) * PART_BYTES + random.nextInt(PART_BYTES / Integer.BYTES) * Integer.BYTES;
            across[i] = (1 + random.nextInt(parts - 1)) * PART_BYTES - Short.BYTES;
        }
        composite = switch (library) {
            case FRESHET -> freshet();
            case NETTY3 -> netty3();
            case NETTY4 -> netty4();
        };
        int[] probe = {across[0]};
        composite.setInts(probe);
        if (composite.getInts(probe) != probe[0]) {
            throw new IllegalStateException(library + ": differs from the number set");
        }
    }

    @Benchmark
    public Object wrap() {
        return composite.wrap();
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public long getWithin() {
        return composite.getInts(within);
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public long getAcross() {
        return composite.getInts(across);
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public Object setWithin() {
        return composite.setInts(within);
    }

    @Benchmark
    @OperationsPerInvocation(INTS)
    public Object setAcross() {
        return composite.setInts(across);
    }

    @Benchmark
    public Object slice() {
        return composite.slice();
    }

    @Benchmark
    public Object toByteBuffers() {
        return composite.toByteBuffers();
    }

    @Benchmark
    public Object copy() {
        return composite.copy();
    }

    private Composite freshet() {
        org.freshet.buffer.ChannelBuffer[] sources =
                FreshetBuffers.parts(ByteOrder.BIG_ENDIAN, parts * PART_BYTES, parts);
        var composite = org.freshet.buffer.ChannelBuffers.wrappedBuffer(sources);
        return new Composite() {
            @Override
            public Object wrap() {
                return org.freshet.buffer.ChannelBuffers.wrappedBuffer(sources);
            }

            @Override
            public long getInts(int[] indices) {
                long sum = 0;
                for (int index : indices) {
                    sum += composite.getInt(index);
                }
                return sum;
            }

            @Override
            public Object setInts(int[] indices) {
                for (int index : indices) {
                    composite.setInt(index, index);
                }
                return composite;
            }

            @Override
            public Object slice() {
                return composite.slice(PART_BYTES / 2, composite.capacity() - PART_BYTES);
            }

            @Override
            public Object toByteBuffers() {
                return composite.toByteBuffers();
            }

            @Override
            public Object copy() {
                return composite.copy();
            }
        };
    }

    private Composite netty3() {
        org.jboss.netty.buffer.ChannelBuffer[] sources =
                Netty3Buffers.parts(ByteOrder.BIG_ENDIAN, parts * PART_BYTES, parts);
        var composite = org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(sources);
        return new Composite() {
            @Override
            public Object wrap() {
                return org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(sources);
            }

            @Override
            public long getInts(int[] indices) {
                long sum = 0;
                for (int index : indices) {
                    sum += composite.getInt(index);
                }
                return sum;
            }

            @Override
            public Object setInts(int[] indices) {
                for (int index : indices) {
                    composite.setInt(index, index);
                }
                return composite;
            }

            @Override
            public Object slice() {
                return composite.slice(PART_BYTES / 2, composite.capacity() - PART_BYTES);
            }

            @Override
            public Object toByteBuffers() {
                return composite.toByteBuffers();
            }

            @Override
            public Object copy() {
                return composite.copy();
            }
        };
    }

    private Composite netty4() {
        ByteBuf[] sources = Netty4Buffers.parts(parts * PART_BYTES, parts);
        ByteBuf composite = Unpooled.wrappedBuffer(sources.length, sources);
        return new Composite() {
            @Override
            public Object wrap() {
                for (ByteBuf source : sources) {
                    source.retain();
                }
                ByteBuf wrapped = Unpooled.wrappedBuffer(sources.length, sources);
                wrapped.release();
                return wrapped;
            }

            @Override
            public long getInts(int[] indices) {
                long sum = 0;
                for (int index : indices) {
                    sum += composite.getInt(index);
                }
                return sum;
            }

            @Override
            public Object setInts(int[] indices) {
                for (int index : indices) {
                    composite.setInt(index, index);
                }
                return composite;
            }

            @Override
            public Object slice() {
                return composite.slice(PART_BYTES / 2, composite.capacity() - PART_BYTES);
            }

            @Override
            public Object toByteBuffers() {
                return composite.nioBuffers();
            }

            @Override
            public Object copy() {
                ByteBuf copy = composite.copy();
                copy.release();
                return copy;
            }
        };
    }
}
