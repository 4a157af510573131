package org.freshet.microbench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.DirectChannelBufferFactory;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.microbench.buffer.BufferSource.Garbage;
import org.freshet.microbench.buffer.BufferSource.Netty4;
import org.freshet.microbench.buffer.BufferSource.Recycling;
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
 * What does a buffer cost from its allocation to its end, with a given number of others alive?
 *
 * <p>Each call replaces one of the live buffers. The usual way to ask this question is {@code RANDOM} with 8,192 live
 * buffers and nothing written, and that is unfair to both sides. The JVM must clear memory that a pool hands out dirty,
 * which is wasted if nothing is written. And a buffer that dies at random among thousands is the collector's worst
 * case, while most buffers of a server die right away ({@code live = 1}). Don't compare the scores but
 * {@code cpu.process} ({@code -prof org.freshet.microbench.CpuProfiler}), which includes the collector's threads.
 * {@code -prof org.freshet.microbench.MemoryProfiler}, named before it, adds the memory.
 *
 * <p>Choose the collector with {@code -jvmArgsAppend}: {@code -XX:+UseParallelGC}, {@code -XX:+UseZGC}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xmx2g", "-XX:MaxDirectMemorySize=2g"})
public class BufferLifeBenchmark {
    private static final long SEED = 42;

    @Param
    public Allocator allocator;

    @Param({"64", "256", "1024", "4096", "16384", "65536"})
    public int size;

    @Param({"8192", "64", "1"})
    public int live;

    @Param
    public Release release;

    @Param({"true", "false"})
    public boolean written;

    @Param
    public EndedBy endedBy;

    private BufferSource source;
    private BufferEnd end;
    private Object[] buffers;
    private byte[] content;
    private Random random;
    private int next;

    /** The source of the buffers. */
    public enum Allocator {
        FRESHET_HEAP,
        FRESHET_DIRECT,
        /** This benchmark's own arrays, which are returned and reused. The library does not offer that. */
        RECYCLED,
        /** The same, but no array is ever returned. */
        RECYCLED_FORGOTTEN,
        NETTY4_UNPOOLED_HEAP,
        NETTY4_UNPOOLED_DIRECT,
        NETTY4_POOLED_HEAP,
        NETTY4_POOLED_DIRECT,
        NETTY4_ADAPTIVE_HEAP,
        NETTY4_ADAPTIVE_DIRECT
    }

    /** Which of the live buffers ends when a new one is made. */
    public enum Release {
        RANDOM,
        OLDEST,
        NEWEST
    }

    /** The thread that ends a buffer. */
    public enum EndedBy {
        SAME_THREAD,
        /** Another thread, which receives buffers by the dozen. */
        OTHER_THREAD
    }

    @Setup
    public void fill() {
        content = written ? new byte[size] : null;
        random = new Random(SEED);
        source = newSource();
        end = endedBy == EndedBy.SAME_THREAD ? source::end : new EndingThread(source);
        buffers = new Object[live];
        for (int i = 0; i < live; i++) {
            buffers[i] = source.make(size, content);
        }
    }

    private BufferSource newSource() {
        return switch (allocator) {
            case FRESHET_HEAP -> new Garbage(HeapChannelBufferFactory.getInstance());
            case FRESHET_DIRECT -> new Garbage(DirectChannelBufferFactory.getInstance());
            case RECYCLED -> new Recycling(true, endedBy == EndedBy.OTHER_THREAD);
            case RECYCLED_FORGOTTEN -> new Recycling(false, endedBy == EndedBy.OTHER_THREAD);
            case NETTY4_UNPOOLED_HEAP -> new Netty4(UnpooledByteBufAllocator.DEFAULT, false);
            case NETTY4_UNPOOLED_DIRECT -> new Netty4(UnpooledByteBufAllocator.DEFAULT, true);
            case NETTY4_POOLED_HEAP -> new Netty4(PooledByteBufAllocator.DEFAULT, false);
            case NETTY4_POOLED_DIRECT -> new Netty4(PooledByteBufAllocator.DEFAULT, true);
            case NETTY4_ADAPTIVE_HEAP -> new Netty4(new AdaptiveByteBufAllocator(), false);
            case NETTY4_ADAPTIVE_DIRECT -> new Netty4(new AdaptiveByteBufAllocator(), true);
        };
    }

    @TearDown(Level.Trial)
    public void end() throws InterruptedException {
        for (Object buffer : buffers) {
            end.end(buffer);
        }
        end.close();
    }

    @Benchmark
    public void replaceOne() throws InterruptedException {
        int index = index();
        end.end(buffers[index]);
        buffers[index] = source.make(size, content);
    }

    private int index() {
        return switch (release) {
            case RANDOM -> random.nextInt(live);
            case NEWEST -> live - 1;
            case OLDEST -> next = next + 1 == live ? 0 : next + 1;
        };
    }
}
