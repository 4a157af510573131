package org.freshet.microbench.compare.server;

import java.nio.charset.StandardCharsets;
import org.freshet.microbench.compare.load.CallDigest;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.FrameReport;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.ObjectDialect;
import org.freshet.microbench.compare.load.SlowRequest;
import org.freshet.microbench.compare.load.Tls;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandler;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.ChannelPipelineFactory;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.group.ChannelGroup;
import org.jboss.netty.channel.group.DefaultChannelGroup;
import org.jboss.netty.channel.socket.SocketChannelConfig;
import org.jboss.netty.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.jboss.netty.handler.codec.frame.Delimiters;
import org.jboss.netty.handler.codec.frame.FixedLengthFrameDecoder;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpChunk;
import org.jboss.netty.handler.codec.http.HttpHeaders;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpRequestDecoder;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseEncoder;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpServerCodec;
import org.jboss.netty.handler.codec.http.HttpVersion;
import org.jboss.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.jboss.netty.handler.codec.oneone.OneToOneDecoder;
import org.jboss.netty.handler.codec.serialization.ClassResolvers;
import org.jboss.netty.handler.codec.serialization.ObjectDecoder;
import org.jboss.netty.handler.codec.serialization.ObjectEncoder;
import org.jboss.netty.handler.codec.string.StringDecoder;
import org.jboss.netty.handler.codec.string.StringEncoder;
import org.jboss.netty.handler.ssl.SslHandler;

/** The pipelines of Netty 3's servers. Each connection's pipeline is run by its I/O thread. */
final class Netty3Pipelines implements ChannelPipelineFactory, AutoCloseable {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup();
    private final StringDecoder stringDecoder = new StringDecoder(StandardCharsets.ISO_8859_1);
    private final StringEncoder stringEncoder = new StringEncoder(StandardCharsets.ISO_8859_1);

    private final Netty3Handover handover = new Netty3Handover();

    /** Null in other roles. */
    private final Netty3Execution execution;

    /** Null in other roles. */
    private final ServedFile file;

    Netty3Pipelines(Assignment assignment) {
        this.assignment = assignment;
        file = assignment.role() == Role.FILES ? ServedFile.of(assignment) : null;
        execution = assignment.role() == Role.ORDERED ? Netty3Execution.of(Way.of(assignment.text("way"))) : null;
    }

    @Override
    public ChannelPipeline getPipeline() {
        return switch (assignment.role()) {
            case ECHO -> Channels.pipeline(new Echo());
            case FANOUT -> Channels.pipeline(new FixedLengthFrameDecoder(assignment.number("size")), new Fanout());
            case RELAY -> Channels.pipeline(handover.relay());
            case HANDED -> Channels.pipeline(handover.handing());
            case TLS -> Channels.pipeline(new SslHandler(Tls.serverEngine()), new Echo());
            case LINES -> Channels.pipeline(lineDecoder(), stringDecoder, stringEncoder, new Lines());
            case OBJECTS -> Channels.pipeline(objectDecoder(), new ObjectEncoder(), new Objects());
            case CALLS -> calls();
            case REPORTS -> reports(new CountingDecoder());
            case ORDERED ->
                Channels.pipeline(
                        new FixedLengthFrameDecoder(SlowRequest.BYTES),
                        new RequestDecoder(),
                        execution.handler(),
                        new Blocking(assignment.number("block")));
            case FILES -> Channels.pipeline(new HttpServerCodec(), new Netty3FileHandler(file.path()));
            case HTTP ->
                Channels.pipeline(new HttpServerCodec(), assignment.has("body") ? new Counting() : new Answering());
            case WEBSOCKET ->
                Channels.pipeline(
                        new HttpRequestDecoder(),
                        new HttpResponseEncoder(),
                        new WebSocketServerProtocolHandler("/"),
                        new Echo());
            case H2 -> throw new IllegalArgumentException("not for Netty 3: " + assignment.role());
        };
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

    private ChannelPipeline calls() {
        ChannelPipeline pipeline = Channels.pipeline();
        for (int i = 1; assignment.has("handlers") && i < assignment.number("handlers"); i++) {
            pipeline.addLast("passing " + i, new SimpleChannelUpstreamHandler());
        }
        pipeline.addLast("calls", new Calls(assignment.number("size")));
        return pipeline;
    }

    private static ChannelHandler lineDecoder() {
        return new DelimiterBasedFrameDecoder(MAX_FRAME_BYTES, Delimiters.lineDelimiter());
    }

    private ChannelPipeline reports(CountingDecoder decoder) {
        return Channels.pipeline(decoder, stringDecoder, new Reporting(decoder));
    }

    private ChannelHandler objectDecoder() {
        return new ObjectDecoder(MAX_FRAME_BYTES, ClassResolvers.cacheDisabled(null));
    }

    private static class Closing extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
            event.getChannel().close();
        }
    }

    private static final class Echo extends Closing {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(event.getMessage());
        }
    }

    private final class Fanout extends Closing {
        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            listeners.add(event.getChannel());
            event.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            listeners.write(event.getMessage());
        }
    }

    private static final class Objects extends Closing {
        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            event.getChannel().write(ObjectDialect.answerTo(ObjectDialect.GREETING));
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(ObjectDialect.answerTo((Integer) event.getMessage()));
        }
    }

    private static final class Lines extends Closing {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(event.getMessage() + "\n");
        }
    }

    private static final class Answering extends Closing {
        private static final byte[] CONTENT = HttpDialect.CONTENT.getBytes(StandardCharsets.US_ASCII);

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            if (event.getMessage() instanceof HttpRequest) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.headers().set(HttpHeaders.Names.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
                response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, CONTENT.length);
                response.setContent(ChannelBuffers.wrappedBuffer(CONTENT));
                event.getChannel().write(response);
            }
        }
    }

    /** Counts a request's content bytes, and answers with the number. */
    private static final class Counting extends Closing {
        private long bytes;

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            if (event.getMessage() instanceof HttpChunk chunk) {
                bytes += chunk.getContent().readableBytes();
                if (chunk.isLast()) {
                    answer(event.getChannel());
                }
            } else if (event.getMessage() instanceof HttpRequest request) {
                bytes = request.getContent().readableBytes();
                if (!request.isChunked()) {
                    answer(event.getChannel());
                }
            }
        }

        private void answer(Channel channel) {
            byte[] content = HttpDialect.countOf(bytes);
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set(HttpHeaders.Names.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
            response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, content.length);
            response.setContent(ChannelBuffers.wrappedBuffer(content));
            channel.write(response);
        }
    }

    private static final class Calls extends Closing {
        private final CallDigest digest;

        Calls(int requestBytes) {
            digest = new CallDigest(requestBytes);
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            if (digest.take(((ChannelBuffer) event.getMessage()).toByteBuffer())) {
                event.getChannel().write(ChannelBuffers.wrappedBuffer(digest.answer()));
            }
        }
    }

    /** Counts its calls until a frame is complete. */
    private static final class CountingDecoder extends DelimiterBasedFrameDecoder {
        private int calls;
        private int callsOfFrame;

        CountingDecoder() {
            super(MAX_FRAME_BYTES, ChannelBuffers.wrappedBuffer(new byte[] {FrameReport.DELIMITER}));
        }

        @Override
        protected Object decode(ChannelHandlerContext context, Channel channel, ChannelBuffer buffer) throws Exception {
            calls++;
            Object frame = super.decode(context, channel, buffer);
            if (frame != null) {
                callsOfFrame = calls;
                calls = 0;
            }
            return frame;
        }
    }

    private static final class Reporting extends Closing {
        private final CountingDecoder decoder;

        Reporting(CountingDecoder decoder) {
            this.decoder = decoder;
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            SocketChannelConfig config =
                    (SocketChannelConfig) event.getChannel().getConfig();
            FrameReport report =
                    FrameReport.on((String) event.getMessage(), decoder.callsOfFrame, config.getReceiveBufferSize());
            event.getChannel().write(ChannelBuffers.wrappedBuffer(report.toBytes()));
        }
    }

    private static final class RequestDecoder extends OneToOneDecoder {
        @Override
        protected Object decode(ChannelHandlerContext context, Channel channel, Object message) {
            return SlowRequest.readFrom(((ChannelBuffer) message).toByteBuffer());
        }
    }

    private static final class Blocking extends Closing {
        private final int maxMillis;

        Blocking(int maxMillis) {
            this.maxMillis = maxMillis;
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            SlowRequest request = (SlowRequest) event.getMessage();
            if (request.block(maxMillis)) {
                event.getChannel().write(ChannelBuffers.wrappedBuffer(request.answer()));
            }
        }
    }
}
