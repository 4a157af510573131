package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.microbench.JvmFlags;
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
 * What does a number of the other byte order cost in a buffer of 16 KiB, by width?
 *
 * <p>{@code ordered} is a little endian buffer, {@code view} a composite seen through {@link ChannelBuffers#ordered},
 * {@code byHand} a big endian buffer whose numbers the caller swaps. Netty 4.2's view swaps; its {@code LE} methods do
 * not. The result is the time of one number, set at each index in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class SwappedWidthsBenchmark {
    static final int BYTES = 16 * 1024;
    static final int NUMBERS = BYTES / Long.BYTES;

    @Param({"HEAP", "DIRECT"})
    public BufferKind kind;

    private ChannelBuffer usual;
    private ChannelBuffer ordered;
    private ChannelBuffer view;
    private ByteBuf netty4;
    private ByteBuf netty4View;

    @Setup
    @SuppressWarnings("deprecation") // this benchmark measures the view
    public void makeBuffers() {
        usual = FreshetBuffers.make(kind, ByteOrder.BIG_ENDIAN, BYTES);
        ordered = ChannelBuffers.ordered(usual, ByteOrder.LITTLE_ENDIAN);
        view = ChannelBuffers.ordered(
                FreshetBuffers.make(BufferKind.COMPOSITE, ByteOrder.BIG_ENDIAN, BYTES), ByteOrder.LITTLE_ENDIAN);
        netty4 = Netty4Buffers.make(kind, BYTES);
        netty4View = netty4.order(ByteOrder.LITTLE_ENDIAN);
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object shortsOrdered() {
        return setShorts(ordered);
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object shortsView() {
        return setShorts(view);
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object shortsByHand() {
        for (int i = 0; i < NUMBERS; i++) {
            usual.setShort(i * Short.BYTES, ChannelBuffers.swapShort((short) i));
        }
        return usual;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object shortsNetty4View() {
        for (int i = 0; i < NUMBERS; i++) {
            netty4View.setShort(i * Short.BYTES, i);
        }
        return netty4View;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object shortsNetty4() {
        for (int i = 0; i < NUMBERS; i++) {
            netty4.setShortLE(i * Short.BYTES, i);
        }
        return netty4;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object longsOrdered() {
        return setLongs(ordered);
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object longsView() {
        return setLongs(view);
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object longsByHand() {
        for (int i = 0; i < NUMBERS; i++) {
            usual.setLong(i * Long.BYTES, ChannelBuffers.swapLong(i));
        }
        return usual;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object longsNetty4View() {
        for (int i = 0; i < NUMBERS; i++) {
            netty4View.setLong(i * Long.BYTES, i);
        }
        return netty4View;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public Object longsNetty4() {
        for (int i = 0; i < NUMBERS; i++) {
            netty4.setLongLE(i * Long.BYTES, i);
        }
        return netty4;
    }

    private static Object setShorts(ChannelBuffer buffer) {
        for (int i = 0; i < NUMBERS; i++) {
            buffer.setShort(i * Short.BYTES, i);
        }
        return buffer;
    }

    private static Object setLongs(ChannelBuffer buffer) {
        for (int i = 0; i < NUMBERS; i++) {
            buffer.setLong(i * Long.BYTES, i);
        }
        return buffer;
    }
}
