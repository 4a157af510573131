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

/**
 * What does it cost to unmask a text and check that it is UTF-8, from the transport's buffer to the frame that a
 * handler receives? Creating that buffer is included, and is the same work for all.
 */
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
public class WebSocketDecoderBenchmark {
    @Param({"FRESHET", "NETTY4"})
    public Library library;

    @Param({"ASCII", "UTF8_2", "UTF8_3"})
    public WebSocketContent content;

    @Param("65536")
    public int bytes;

    private byte[] frame;
    private WebSocketServing serving;

    @Setup
    public void makePipeline() {
        String text = content.text(bytes);
        frame = WebSocketContent.frame(text, false);
        serving = WebSocketDeflateBenchmark.serving(library, new WebSocketServing.Setting(1, false, false));
        if (decode() != text.getBytes(StandardCharsets.UTF_8).length) {
            throw new IllegalStateException(library + ": received " + serving.receivedBytes());
        }
    }

    @Benchmark
    public long decode() {
        serving.receive(frame);
        return serving.receivedBytes();
    }
}
