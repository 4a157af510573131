package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.ReferenceCountUtil;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Asks the question of {@code FrameWriterBenchmark} for Netty 4.2: what does it cost to write the frames of 32 answers?
 * Its writer hands each frame to the pipeline, so this includes an embedded channel that collects them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class Netty4FrameWriterBenchmark {
    private static final int ANSWERS = 32;

    @Param({"13", "1000", "16384"})
    public int contentLength;

    private final DefaultHttp2FrameWriter writer = new DefaultHttp2FrameWriter();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private ChannelHandlerContext context;
    private Http2Headers fields;
    private ByteBuf content;

    @Setup
    public void makeAnswer() {
        context = channel.pipeline().firstContext();
        fields = new DefaultHttp2Headers()
                .status("200")
                .add("content-type", "text/plain")
                .add("content-length", Integer.toString(contentLength));
        content = Unpooled.wrappedBuffer(new byte[contentLength]);
        long octets = write();
        if (octets <= (long) ANSWERS * contentLength) {
            throw new IllegalStateException("only " + octets + " octets");
        }
    }

    @Benchmark
    public long write() {
        for (int i = 0; i < ANSWERS; i++) {
            int stream = 2 * i + 1;
            writer.writeHeaders(context, stream, fields, 0, false, context.newPromise());
            writer.writeData(context, stream, content.retainedDuplicate(), 0, true, context.newPromise());
        }
        channel.flush();
        long octets = 0;
        for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
            octets += frame.readableBytes();
            ReferenceCountUtil.release(frame);
        }
        return octets;
    }

    @TearDown
    public void close() {
        content.release();
        channel.close();
        writer.close();
    }
}
