package org.freshet.microbench.codec;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
import org.freshet.util.HashedWheelTimer;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What do functions and a router add to a request? It goes from its bytes through the ready-made pipeline to the
 * application, and the response back to bytes. {@code BARE} is a handler that ignores the request, {@code SWITCH} one
 * that parses the target and knows two paths, and {@code ROUTED} has 20 routes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class RequestHandlerBenchmark {
    /** The kind of application. */
    public enum Application {
        BARE,
        SWITCH,
        FUNCTION,
        ROUTED
    }

    /** The path requested. */
    public enum Target {
        LITERAL("/greeting"),
        PARAMETER("/users/4711"),
        QUERY("/hello?name=you");

        private final String target;

        Target(String target) {
            this.target = target;
        }
    }

    @Param
    public Application application;

    @Param
    public Target target;

    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final Wire wire = new Wire();
    private Channel channel;
    private byte[] request;

    private static final class Wire extends SimpleChannelDownstreamHandler {
        private int bytes;

        @Override
        public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
            bytes += event.getMessage() instanceof ChannelBuffer sent
                    ? sent.readableBytes()
                    : 0; // otherwise the end of the output
            event.getFuture().setSuccess();
        }
    }

    @Setup
    public void connect() {
        ChannelPipeline pipeline = HttpServerPipeline.builder(timer)
                .aggregate(64 * 1024)
                .handler("application", () -> RequestApplications.of(application))
                .build()
                .getPipeline();
        pipeline.addFirst("wire", wire);
        channel = new FreshetChannel(pipeline);
        Channels.fireChannelOpen(channel);
        Channels.fireChannelConnected(channel, channel.getRemoteAddress());
        request = ("GET " + target.target
                        + " HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: benchmark/1.0\r\nAccept: */*\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        if (answer() < 80) {
            throw new IllegalStateException(application + " answers " + wire.bytes + " bytes");
        }
    }

    @TearDown
    public void close() {
        channel.close();
        timer.stop();
    }

    @Benchmark
    public int answer() {
        wire.bytes = 0;
        Channels.fireMessageReceived(channel, ChannelBuffers.wrappedBuffer(request));
        return wire.bytes;
    }
}
