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

/** What does it cost to compress an answer of 10 KiB of JSON with gzip, through the handler used in a server? */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
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
public class HttpCompressionBenchmark {
    private static final int CONTENT_BYTES = 10 * 1024;

    /** More would mean poor compression. */
    private static final int MOST_COMPRESSED_BYTES = CONTENT_BYTES / 3;

    static final byte[] CONTENT = content();

    /** Answers a request and returns the size of the compressed content. */
    interface Compressing {
        int answer() throws Exception;
    }

    @Param({"FRESHET", "NETTY4"})
    public Library library;

    private Compressing compressing;

    private static byte[] content() {
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; json.length() < CONTENT_BYTES; i++) {
            json.append("{\"id\":")
                    .append(i * 7919 % 10_000)
                    .append(",\"name\":\"item ")
                    .append(i);
            json.append("\",\"price\":").append(i * 31 % 977).append(".99,\"available\":true},");
        }
        return json.substring(0, CONTENT_BYTES).getBytes(StandardCharsets.US_ASCII);
    }

    @Setup
    public void makePipeline() throws Exception {
        compressing = library == Library.FRESHET ? new FreshetCompressing() : new Netty4Compressing();
        int bytes = compressing.answer();
        if (bytes < 100 || bytes > MOST_COMPRESSED_BYTES) {
            throw new IllegalStateException(library + ": " + bytes + " bytes");
        }
    }

    @Benchmark
    public int answer() throws Exception {
        return compressing.answer();
    }
}
