package org.freshet.microbench.codec;

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

/** What does it cost to decode the Cookie header of a request with 12 cookies? */
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
public class CookieBenchmark {
    private static final int COOKIES = 12;

    private static final String HEADER = "session=8f14e45fceea167a5a36dedd4bea2543; theme=dark; consent=1; "
            + "_id=c9f0f895fb98ab9159f51fd0297e236d; lang=en-GB; tz=Europe/Berlin; cart=3; last=2026-11-21T10:00:00Z; "
            + "_ga=GA1.2.1234567890.1234567890; _gid=GA1.2.987654321.987654321; exp=b; csrf=MTIzNDU2Nzg5MGFiY2RlZg==";

    /** Decodes the header and returns the number of cookies. */
    @FunctionalInterface
    private interface Decoding {
        int decode(String header);
    }

    @Param({"FRESHET", "NETTY4"})
    public Library library;

    private Decoding decoding;

    @Setup
    public void chooseDecoder() {
        decoding = library == Library.FRESHET
                ? header -> org.freshet.handler.codec.http.cookie.ServerCookieDecoder.STRICT
                        .decode(header)
                        .size()
                : header -> io.netty.handler.codec.http.cookie.ServerCookieDecoder.STRICT
                        .decode(header)
                        .size();
        if (decoding.decode(HEADER) != COOKIES) {
            throw new IllegalStateException(library + ": " + decoding.decode(HEADER) + " cookies");
        }
    }

    @Benchmark
    public int decode() {
        return decoding.decode(HEADER);
    }
}
