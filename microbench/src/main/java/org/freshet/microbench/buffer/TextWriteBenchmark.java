package org.freshet.microbench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
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
 * Is text written faster by the buffer's own text methods, or through the array returned by {@code String.getBytes}?
 *
 * <p>Twelve variants: ASCII and UTF-8, from a String and from another CharSequence, into a buffer and into a wrapping
 * one, directly and through an array (there, the wrapper makes no difference). {@code -prof gc} shows the allocation of
 * each.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class TextWriteBenchmark {
    @Param({"US-ASCII", "UTF-8"})
    public String charset;

    @Param
    public Content content;

    @Param({"16", "64", "1024"})
    public int characters;

    @Param
    public Source source;

    @Param
    public Target target;

    private Charset encoding;
    private boolean ascii;
    private CharSequence text;
    private ChannelBuffer freshet;
    private ByteBuf netty4;

    /** The characters of the text. */
    public enum Content {
        ASCII("r"),
        TWO_BYTES("r\u00e9"),
        THREE_BYTES("r\u6c34");

        private final String repeated;

        Content(String repeated) {
            this.repeated = repeated;
        }
    }

    /** The object that holds the text. */
    public enum Source {
        STRING,
        BUILDER
    }

    /** The target of the write. */
    public enum Target {
        PLAIN,
        WRAPPED,
        DIRECT
    }

    @Setup
    public void makeBuffers() {
        encoding = Charset.forName(charset);
        ascii = encoding.equals(StandardCharsets.US_ASCII);
        String string = content.repeated.repeat(characters / content.repeated.length());
        text = source == Source.STRING ? string : new StringBuilder(string);
        int capacity = 3 * characters;
        freshet = target == Target.DIRECT ? ChannelBuffers.directBuffer(capacity) : ChannelBuffers.buffer(capacity);
        netty4 = target == Target.DIRECT ? Unpooled.directBuffer(capacity) : Unpooled.buffer(capacity);
        if (target == Target.WRAPPED) {
            freshet = freshet.duplicate();
            netty4 = Unpooled.unreleasableBuffer(netty4);
        }
        String expected = new String(string.getBytes(encoding), encoding);
        freshet();
        netty4();
        // Netty 4.2 writes Latin-1 as ASCII, by its low byte.
        boolean isNettyRight =
                ascii && content != Content.ASCII || netty4.toString(encoding).equals(expected);
        if (!freshet.toString(encoding).equals(expected) || !isNettyRight) {
            throw new IllegalStateException("differs from the text written");
        }
    }

    @Benchmark
    public int freshet() {
        freshet.clear();
        return ascii ? ChannelBuffers.writeAscii(freshet, text) : ChannelBuffers.writeUtf8(freshet, text);
    }

    @Benchmark
    public Object freshetViaArray() {
        freshet.clear();
        freshet.writeBytes(text.toString().getBytes(encoding));
        return freshet;
    }

    @Benchmark
    public int netty4() {
        netty4.clear();
        return ascii ? ByteBufUtil.writeAscii(netty4, text) : ByteBufUtil.writeUtf8(netty4, text);
    }

    @Benchmark
    public Object netty4ViaArray() {
        netty4.clear();
        return netty4.writeBytes(text.toString().getBytes(encoding));
    }
}
