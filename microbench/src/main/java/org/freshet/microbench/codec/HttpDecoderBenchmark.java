package org.freshet.microbench.codec;

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
 * What does it cost to decode a request? There are pipelined requests in large reads, a browser's requests with all
 * headers read, and heads in pieces.
 *
 * <p>Each call receives {@value #REQUESTS} requests; the result is the time of one, including creating and firing the
 * buffer of a read.
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
public class HttpDecoderBenchmark {
    static final int REQUESTS = 16;

    @Param
    public Library library;

    @Param
    public HttpTraffic traffic;

    private byte[] stream;
    private int readBytes;
    private HttpDecoding decoding;

    @Setup
    public void makePipeline() {
        byte[] request = traffic.bytes();
        stream = new byte[REQUESTS * request.length];
        for (int i = 0; i < REQUESTS; i++) {
            System.arraycopy(request, 0, stream, i * request.length, request.length);
        }
        readBytes = traffic.readBytes();
        decoding = switch (library) {
            case FRESHET -> new FreshetHttp(traffic);
            case NETTY3 -> new Netty3Http(traffic);
            case NETTY4 -> new Netty4Http(traffic);
        };
        decode();
        if (decoding.requests() != REQUESTS) {
            throw new IllegalStateException(library + ": " + decoding.requests() + " requests");
        }
    }

    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long decode() {
        for (int offset = 0; offset < stream.length; offset += readBytes) {
            decoding.receive(stream, offset, Math.min(readBytes, stream.length - offset));
        }
        return decoding.requests() + decoding.valueChars();
    }
}
