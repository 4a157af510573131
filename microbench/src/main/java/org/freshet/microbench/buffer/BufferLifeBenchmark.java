package org.freshet.microbench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * What does a buffer cost from its allocation to its end, when so many others live?
 *
 * <p>Each call replaces one of the live buffers. {@code RANDOM} with 8,192 and nothing written is the question as it is usually
 * put; it is unfair to both sides. A pool hands out dirty memory that the JVM must clear, which is for nothing if nobody
 * writes; and a buffer that dies at random among thousands is the collector's worst case, while those of a server mostly die
 * at once ({@code live = 1}). Compare {@code cpu.process} ({@code -prof org.freshet.microbench.CpuProfiler}), which has the
 * collector's threads in it, not the score.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=1g"})
public class BufferLifeBenchmark {
    private static final long SEED = 42;

    @Param
    public Allocator allocator;

    @Param({"64", "1024", "16384"})
    public int size;

    @Param({"8192", "64", "1"})
    public int live;

    @Param
    public Release release;

    @Param({"true", "false"})
    public boolean written;

    private Life life;
    private byte[] content;
    private Random random;
    private int next;

    /** Where buffers come from. */
    public enum Allocator {
        FRESHET_HEAP,
        FRESHET_DIRECT,
        NETTY4_UNPOOLED_HEAP,
        NETTY4_POOLED_HEAP,
        NETTY4_POOLED_DIRECT,
        NETTY4_ADAPTIVE_HEAP,
        NETTY4_ADAPTIVE_DIRECT
    }

    /** Which of the live buffers ends when a new one is made. */
    public enum Release {
        RANDOM,
        OLDEST
    }

    /** The live buffers of one allocator. */
    private interface Life {
        void replace(int index);

        void end();
    }

    @Setup
    public void fill() {
        content = new byte[size];
        random = new Random(SEED);
        life = switch (allocator) {
            case FRESHET_HEAP -> new FreshetLife(HeapChannelBufferFactory.getInstance());
            case FRESHET_DIRECT -> new FreshetLife(DirectChannelBufferFactory.getInstance());
            case NETTY4_UNPOOLED_HEAP -> new Netty4Life(UnpooledByteBufAllocator.DEFAULT, false);
            case NETTY4_POOLED_HEAP -> new Netty4Life(PooledByteBufAllocator.DEFAULT, false);
            case NETTY4_POOLED_DIRECT -> new Netty4Life(PooledByteBufAllocator.DEFAULT, true);
            case NETTY4_ADAPTIVE_HEAP -> new Netty4Life(new AdaptiveByteBufAllocator(), false);
            case NETTY4_ADAPTIVE_DIRECT -> new Netty4Life(new AdaptiveByteBufAllocator(), true);
        };
        for (int i = 0; i < live; i++) {
            life.replace(i);
        }
    }

    @TearDown(Level.Trial)
    public void end() {
        life.end();
    }

    @Benchmark
    public void replaceOne() {
        life.replace(release == Release.RANDOM ? random.nextInt(live) : nextIndex());
    }

    private int nextIndex() {
        next = next + 1 == live ? 0 : next + 1;
        return next;
    }

    private final class FreshetLife implements Life {
        private final ChannelBufferFactory factory;
        private final ChannelBuffer[] buffers = new ChannelBuffer[live];

        FreshetLife(ChannelBufferFactory factory) {
            this.factory = factory;
        }

        @Override
        public void replace(int index) {
            ChannelBuffer buffer = factory.getBuffer(size);
            if (written) {
                buffer.writeBytes(content);
            }
            buffers[index] = buffer;
        }

        @Override
        public void end() {
            Arrays.fill(buffers, null);
        }
    }

    private final class Netty4Life implements Life {
        private final ByteBufAllocator from;
        private final boolean direct;
        private final ByteBuf[] buffers = new ByteBuf[live];

        Netty4Life(ByteBufAllocator from, boolean direct) {
            this.from = from;
            this.direct = direct;
        }

        @Override
        public void replace(int index) {
            if (buffers[index] != null) {
                buffers[index].release();
            }
            ByteBuf buffer = direct ? from.directBuffer(size) : from.heapBuffer(size);
            if (written) {
                buffer.writeBytes(content);
            }
            buffers[index] = buffer;
        }

        @Override
        public void end() {
            for (ByteBuf buffer : buffers) {
                buffer.release();
            }
        }
    }
}
