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

/**
 * What does permessage-deflate cost a server without context takeover? One message arrives and is sent back, on one of
 * many connections after the other; another is written to all of them.
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
public class WebSocketDeflateBenchmark {
    @Param({"FRESHET", "NETTY4"})
    public Library library;

    @Param("1024")
    public int bytes;

    @Param("1000")
    public int connections;

    private String text;
    private byte[] frame;
    private WebSocketServing serving;

    static WebSocketServing serving(Library library, WebSocketServing.Setting setting) {
        return switch (library) {
            case FRESHET -> new FreshetWebSockets(setting);
            case NETTY4 -> new Netty4WebSockets(setting);
            case NETTY3 -> throw new IllegalArgumentException("no permessage-deflate: " + library);
        };
    }

    @Setup
    public void makePipelines() {
        text = WebSocketContent.JSON.text(bytes);
        frame = WebSocketContent.frame(text, true);
        serving = serving(library, new WebSocketServing.Setting(connections, true, true));
        long echoed = echo();
        long sent = broadcast() - echoed;
        if (serving.receivedBytes() != text.length() || echoed >= text.length() / 2 || sent != echoed * connections) {
            throw new IllegalStateException(
                    library + ": received " + serving.receivedBytes() + ", echoed " + echoed + ", sent to all " + sent);
        }
    }

    @Benchmark
    public long echo() {
        serving.receive(frame);
        return serving.sentBytes();
    }

    @Benchmark
    public long broadcast() {
        serving.broadcast(text);
        return serving.sentBytes();
    }
}
