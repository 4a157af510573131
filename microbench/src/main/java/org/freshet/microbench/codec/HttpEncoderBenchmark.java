package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
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

/** What does it cost to create and encode an answer with two headers and 13 bytes of content, 78 bytes in total? */
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
public class HttpEncoderBenchmark {
    static final byte[] CONTENT = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    /** Creates an answer and returns the number of bytes encoded. */
    interface Encoding {
        int encode() throws Exception;
    }

    @Param
    public Library library;

    private Encoding encoding;

    @Setup
    public void makeEncoder() throws Exception {
        encoding = switch (library) {
            case FRESHET -> new FreshetAnswers();
            case NETTY3 -> new Netty3Answers();
            case NETTY4 -> new Netty4Answers();
        };
        if (encoding.encode() != 78) {
            throw new IllegalStateException(library + ": " + encoding.encode() + " bytes");
        }
    }

    @Benchmark
    public int encode() throws Exception {
        return encoding.encode();
    }
}
