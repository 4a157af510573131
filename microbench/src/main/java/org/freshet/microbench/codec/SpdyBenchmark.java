package org.freshet.microbench.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.spdy.DefaultSpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyFrameCodec;
import org.freshet.handler.codec.spdy.SpdySynStreamFrame;
import org.freshet.handler.codec.spdy.SpdyVersion;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
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
 * What does a SPDY/3.1 request with a 13-byte answer cost in each library's frame, session and HTTP handlers, without a
 * transport? A session has a thousand requests, one per read; creating it and its compressors is included.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class SpdyBenchmark {
    static final String CONTENT = "Hello, World!";
    static final int MAX_CONTENT = 1 << 16;
    private static final int REQUESTS = 1000;

    /** The library whose handlers serve. */
    public enum Library {
        NETTY_3,
        FRESHET
    }

    @Param
    public Library library;

    private byte[][] reads;

    /** Header blocks are compressed one after the other, so a session's requests must be made in order. */
    @Setup
    public void encodeRequests() {
        List<byte[]> written = new ArrayList<>();
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("wire", new SimpleChannelDownstreamHandler() {
            @Override
            public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
                ChannelBuffer octets = (ChannelBuffer) event.getMessage();
                byte[] copy = new byte[octets.readableBytes()];
                octets.readBytes(copy);
                written.add(copy);
                event.getFuture().setSuccess();
            }
        });
        pipeline.addLast("frames", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
        FreshetChannel channel = new FreshetChannel(pipeline);
        for (int i = 0; i < REQUESTS; i++) {
            channel.write(request(2 * i + 1));
        }
        reads = written.toArray(new byte[0][]);
        if (reads.length != REQUESTS) {
            throw new IllegalStateException("reads: " + reads.length);
        }
    }

    private static SpdySynStreamFrame request(int streamId) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(streamId, 0, (byte) 0);
        frame.setLast(true);
        frame.headers().set(":method", "GET");
        frame.headers().set(":path", "/plaintext?id=" + streamId);
        frame.headers().set(":version", "HTTP/1.1");
        frame.headers().set(":host", "www.example.com");
        frame.headers().set(":scheme", "https");
        frame.headers().set("accept", "text/plain,text/html;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.1");
        frame.headers().set("user-agent", "Mozilla/5.0 (X11; Linux x86_64)");
        frame.headers().set("cookie", "session=" + streamId * 31);
        return frame;
    }

    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public long request() {
        SpdyServing server = library == Library.FRESHET ? new FreshetSpdy() : new Netty3Spdy();
        for (byte[] read : reads) {
            server.receive(read);
        }
        if (server.answers() != REQUESTS) {
            throw new IllegalStateException("answers: " + server.answers());
        }
        return server.sentOctets();
    }
}
