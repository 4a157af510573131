package org.freshet.microbench.compare.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.DelimiterBasedFrameDecoder;
import io.netty.handler.codec.Delimiters;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.nio.charset.StandardCharsets;
import org.freshet.microbench.compare.load.CallDigest;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.FrameReport;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.SlowRequest;
import org.freshet.microbench.compare.load.Tls;

/** The pipelines of Netty 4.2's servers. Each connection's pipeline is run by its event loop. */
final class Netty4Pipelines extends ChannelInitializer<SocketChannel> implements AutoCloseable {
    private static final int MAX_FRAME_BYTES = 1 << 20;
    private static final byte[] CONTENT = HttpDialect.CONTENT.getBytes(StandardCharsets.US_ASCII);
    private static final StringDecoder STRING_DECODER = new StringDecoder(StandardCharsets.ISO_8859_1);
    private static final StringEncoder STRING_ENCODER = new StringEncoder(StandardCharsets.ISO_8859_1);

    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

    private final Netty4Handover handover = new Netty4Handover();

    /** Null in other roles. */
    private final Netty4Execution execution;

    /** Null in other roles. */
    private final ServedFile file;

    /** Null in other roles. */
    private final Netty4Http2 http2;

    Netty4Pipelines(Assignment assignment) {
        this.assignment = assignment;
        file = assignment.role() == Role.FILES ? ServedFile.of(assignment) : null;
        http2 = assignment.role() == Role.H2 ? new Netty4Http2(assignment) : null;
        execution = assignment.role() == Role.ORDERED ? Netty4Execution.of(Way.of(assignment.text("way"))) : null;
    }

    @Override
    public void close() {
        handover.close();
        if (execution != null) {
            execution.close();
        }
        if (file != null) {
            file.close();
        }
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        switch (assignment.role()) {
            case ECHO -> pipeline.addLast(new Echo());
            case FANOUT -> pipeline.addLast(new FixedLengthFrameDecoder(assignment.number("size")), new Fanout());
            case RELAY -> pipeline.addLast(handover.relay());
            case HANDED -> pipeline.addLast(handover.handing());
            case TLS -> pipeline.addLast(new SslHandler(Tls.serverEngine()), new Echo());
            case LINES -> pipeline.addLast(lineDecoder(), STRING_DECODER, STRING_ENCODER, new Lines());
            case CALLS -> {
                for (int i = 1; assignment.has("handlers") && i < assignment.number("handlers"); i++) {
                    pipeline.addLast(new ChannelInboundHandlerAdapter());
                }
                pipeline.addLast(new Calls(assignment.number("size")));
            }
            case REPORTS -> addReports(pipeline, new CountingDecoder());
            case ORDERED -> {
                pipeline.addLast(new FixedLengthFrameDecoder(SlowRequest.BYTES));
                execution.addTo(pipeline, assignment.number("block"));
            }
            case FILES -> pipeline.addLast(new HttpServerCodec(), new Netty4FileHandler(file.path()));
            case HTTP ->
                pipeline.addLast(
                        new HttpServerCodec(), assignment.has("body") ? new Counting() : new Answering(CONTENT));
            case H2 -> {
                if (assignment.isSecure()) {
                    pipeline.addLast(new SslHandler(Tls.serverEngine()));
                }
                http2.addTo(pipeline);
            }
            case WEBSOCKET ->
                pipeline.addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(MAX_FRAME_BYTES),
                        new WebSocketServerProtocolHandler("/", null, false, MAX_FRAME_BYTES),
                        new Echo());
            case OBJECTS -> throw new IllegalArgumentException("not for Netty 4: " + assignment.role());
        }
    }

    private static ChannelHandler lineDecoder() {
        return new DelimiterBasedFrameDecoder(MAX_FRAME_BYTES, Delimiters.lineDelimiter());
    }

    private static void addReports(ChannelPipeline pipeline, CountingDecoder decoder) {
        pipeline.addLast(decoder, STRING_DECODER, new Reporting(decoder));
    }

    private static class Closing extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static class Flushing extends Closing {
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    private static final class Echo extends Flushing {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }
    }

    private final class Fanout extends Closing {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            listeners.add(context.channel());
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            listeners.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            listeners.flush();
        }
    }

    private static final class Lines extends Flushing {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message + "\n");
        }
    }

    static final class Answering extends Flushing {
        private final byte[] content;

        Answering(byte[] content) {
            this.content = content;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
                FullHttpResponse response = new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(content));
                response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
                response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, content.length);
                context.write(response);
            }
            ReferenceCountUtil.release(message);
        }
    }

    /** Counts a request's content bytes, and answers with the number. */
    static final class Counting extends Flushing {
        private long bytes;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpContent piece) {
                bytes += piece.content().readableBytes();
                if (message instanceof LastHttpContent) {
                    context.write(answer());
                    bytes = 0;
                }
            }
            ReferenceCountUtil.release(message);
        }

        private FullHttpResponse answer() {
            byte[] content = HttpDialect.countOf(bytes);
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(content));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, content.length);
            return response;
        }
    }

    private static final class Calls extends Flushing {
        private final CallDigest digest;

        Calls(int requestBytes) {
            digest = new CallDigest(requestBytes);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            boolean whole = digest.take(buffer.nioBuffer());
            buffer.release();
            if (whole) {
                context.write(Unpooled.wrappedBuffer(digest.answer()));
            }
        }
    }

    /** Counts its calls until a frame is complete. */
    private static final class CountingDecoder extends DelimiterBasedFrameDecoder {
        private int calls;
        private int callsOfFrame;

        CountingDecoder() {
            super(MAX_FRAME_BYTES, Unpooled.wrappedBuffer(new byte[] {FrameReport.DELIMITER}));
        }

        @Override
        protected Object decode(ChannelHandlerContext context, ByteBuf buffer) throws Exception {
            calls++;
            Object frame = super.decode(context, buffer);
            if (frame != null) {
                callsOfFrame = calls;
                calls = 0;
            }
            return frame;
        }
    }

    private static final class Reporting extends Flushing {
        private final CountingDecoder decoder;

        Reporting(CountingDecoder decoder) {
            this.decoder = decoder;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            int receiveBufferBytes =
                    ((SocketChannel) context.channel()).config().getReceiveBufferSize();
            FrameReport report = FrameReport.on((String) message, decoder.callsOfFrame, receiveBufferBytes);
            context.write(Unpooled.wrappedBuffer(report.toBytes()));
        }
    }
}
