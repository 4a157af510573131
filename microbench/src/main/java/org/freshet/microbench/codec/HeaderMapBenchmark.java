package org.freshet.microbench.codec;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpVersion;
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
 * What does it cost to plug a different header map into the decoder? Decodes a request and reads all of its 20 headers,
 * with Freshet's own headers and with a {@link java.util.TreeMap}. Run it with {@code -prof gc} for the memory.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class HeaderMapBenchmark {
    /** The header implementation of a request. */
    public enum HeaderMap {
        FRESHET(DefaultHttpHeaders::new),
        TREE_MAP(TreeMapHeaders::new);

        final Supplier<HttpHeaders> supplier;

        HeaderMap(Supplier<HttpHeaders> supplier) {
            this.supplier = supplier;
        }
    }

    @Param
    public HeaderMap map;

    private final byte[] request = HttpTraffic.BROWSER.bytes();
    private FreshetHttp decoding;

    @Setup
    public void makePipeline() {
        decoding = new FreshetHttp(HttpTraffic.BROWSER, new HttpRequestDecoder() {
            @Override
            protected HttpMessage createMessage(String[] line) {
                return new DefaultHttpRequest(
                        HttpVersion.valueOf(line[2]), HttpMethod.valueOf(line[0]), line[1], map.supplier.get());
            }
        });
        decode();
        if (decoding.requests() != 1) {
            throw new IllegalStateException(map + ": " + decoding.requests() + " requests");
        }
    }

    @Benchmark
    public long decode() {
        decoding.receive(request, 0, request.length);
        return decoding.valueChars();
    }
}
