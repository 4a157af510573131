package org.freshet.microbench.codec;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
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
 * What does it cost to encode a string into a buffer, and to decode a heap buffer into a string?
 *
 * <p>{@link Coder#JDK} is {@code String.getBytes} and {@code new String}, the floor. The codecs are called without a
 * pipeline; {@link org.freshet.microbench.channel.PipelineDispatchBenchmark} measures its cost.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {
            JvmFlags.MIN_HEAP,
            JvmFlags.MAX_HEAP,
            JvmFlags.COLLECTOR,
            Netty4Threads.CUSTOM,
            Netty4Threads.CLASS
        })
public class StringCodecBenchmark {
    @Param
    public Coder library;

    @Param
    public Text text;

    @Param({"16", "1024"})
    public int characters;

    private String string;
    private Object buffer;
    private StringCoding coding;

    /** The library that encodes and decodes. */
    public enum Coder {
        JDK,
        FRESHET,
        NETTY3,
        NETTY4
    }

    /** The characters of the strings. */
    public enum Text {
        ASCII(StandardCharsets.US_ASCII, "r"),
        /** All ASCII, but the codec does not know that. */
        UTF8_ASCII(StandardCharsets.UTF_8, "r"),
        /** Every other character takes 2 bytes, and all fit into Latin-1. */
        UTF8_2(StandardCharsets.UTF_8, "r\u00e9"),
        /** Every other character takes 3 bytes. */
        UTF8_3(StandardCharsets.UTF_8, "r\u6c34");

        private final Charset charset;
        private final String repeated;

        Text(Charset charset, String repeated) {
            this.charset = charset;
            this.repeated = repeated;
        }
    }

    @Setup
    public void makeText() throws Exception {
        string = text.repeated.repeat(characters / text.repeated.length());
        coding = switch (library) {
            case JDK -> new JdkStrings(text.charset);
            case FRESHET -> new FreshetStrings(text.charset);
            case NETTY3 -> new Netty3Strings(text.charset);
            case NETTY4 -> new Netty4Strings(text.charset);
        };
        buffer = coding.buffer(string.getBytes(text.charset));
        if (!coding.decode(buffer).equals(string) || coding.encode(string) == null) {
            throw new IllegalStateException(library + ": differs from the text encoded");
        }
    }

    @Benchmark
    public Object encode() throws Exception {
        return coding.encode(string);
    }

    @Benchmark
    public Object decode() throws Exception {
        return coding.decode(buffer);
    }

    private record JdkStrings(Charset charset) implements StringCoding {
        @Override
        public Object encode(String text) {
            return text.getBytes(charset);
        }

        @Override
        public Object buffer(byte[] bytes) {
            return bytes;
        }

        @Override
        public Object decode(Object buffer) {
            return new String((byte[]) buffer, charset);
        }
    }
}
