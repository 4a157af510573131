package org.freshet.microbench.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.microbench.JvmFlags;
import org.freshet.microbench.channel.FreshetChannel;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * What do many writes of 10 bytes cost that a handler makes in a row, and how many frames do they become? The peer's
 * window is open, or it opens after all writes. Besides the time, it counts the {@code dataFrames} and {@code octets}
 * sent, for all calls together.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {JvmFlags.MIN_HEAP, JvmFlags.MAX_HEAP, JvmFlags.COLLECTOR})
public class Http2FlowControlBenchmark {
    private static final int WRITE_BYTES = 10;

    /** Large enough that the server does not take it for an attack with small frames. */
    private static final int PROMPT_BYTES = 256;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_HEADERS = 4;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int FRAME_HEADER_BYTES = 9;

    /** The time at which the peer lets the server send. */
    public enum Window {
        BEFORE,
        AFTERWARDS
    }

    /** Counters of the data sent. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Sent {
        public long dataFrames;
        public long octets;
    }

    @Param({"10", "1000"})
    public int writes;

    @Param
    public Window window;

    private final Wire wire = new Wire();
    private Channel channel;
    private byte[] prompt;
    private byte[] permission;

    @Setup
    public void open() {
        channel = new FreshetChannel(
                Channels.pipeline(wire, new Http2ServerHandler(() -> Channels.pipeline(new Writing(writes)))));
        receive("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        receive(frame(
                SETTINGS,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(0)
                        .array()));
        receive(frame(HEADERS, 1, request()));
        prompt = frame(DATA, 1, new byte[PROMPT_BYTES]);
        byte[] more = ByteBuffer.allocate(4).putInt(writes * WRITE_BYTES).array();
        permission = join(frame(WINDOW_UPDATE, 1, more), frame(WINDOW_UPDATE, 0, more));
        Sent sent = new Sent();
        exchange(sent);
        if (sent.octets != (long) writes * WRITE_BYTES || sent.dataFrames != 1) {
            throw new IllegalStateException(sent.octets + " octets in " + sent.dataFrames + " frames");
        }
    }

    private static byte[] request() {
        byte[] block = new byte[256];
        HpackEncoder encoder = new HpackEncoder();
        int length = encoder.begin(block, 0);
        for (List<String> field : List.of(
                List.of(":method", "POST"), List.of(":scheme", "http"), List.of(":path", "/"), List.of("host", "a"))) {
            length = encoder.encode(field.get(0), field.get(1), block, length);
        }
        return Arrays.copyOf(block, length);
    }

    private static byte[] frame(int type, int streamId, byte[] payload) {
        return ByteBuffer.allocate(FRAME_HEADER_BYTES + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) (type == HEADERS ? END_HEADERS : 0))
                .putInt(streamId)
                .put(payload)
                .array();
    }

    private static byte[] join(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    private void receive(byte[] octets) {
        Channels.fireMessageReceived(channel, ChannelBuffers.wrappedBuffer(octets));
    }

    @Benchmark
    public void exchange(Sent sent) {
        receive(window == Window.BEFORE ? permission : prompt);
        receive(window == Window.BEFORE ? prompt : permission);
        sent.dataFrames += wire.dataFrames;
        sent.octets += wire.octets;
        wire.dataFrames = 0;
        wire.octets = 0;
    }

    /** Writes when prompted. */
    private static final class Writing extends SimpleChannelUpstreamHandler {
        private final HttpChunk chunk = new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[WRITE_BYTES]));
        private final int writes;

        Writing(int writes) {
            this.writes = writes;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!(e.getMessage() instanceof HttpChunk)) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.setChunked(true);
                e.getChannel().write(response);
                return;
            }
            for (int i = 0; i < writes; i++) {
                e.getChannel().write(chunk);
            }
        }
    }

    /** Counts the DATA frames that the server sends. */
    private static final class Wire implements ChannelDownstreamHandler {
        private long dataFrames;
        private long octets;

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent message) {
                count((ChannelBuffer) message.getMessage());
            }
            ctx.sendDownstream(e);
        }

        private void count(ChannelBuffer frames) {
            int end = frames.writerIndex();
            for (int at = frames.readerIndex(); at < end; ) {
                int length = frames.getUnsignedMedium(at);
                if (frames.getByte(at + 3) == DATA) {
                    dataFrames++;
                    octets += length;
                }
                at += FRAME_HEADER_BYTES + length;
            }
        }
    }
}
