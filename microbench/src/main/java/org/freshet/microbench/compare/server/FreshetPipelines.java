package org.freshet.microbench.compare.server;

import java.io.ObjectInputFilter;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.files.StaticFileHandler;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.CompatibleObjectDecoder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.execution.ConversationHandler;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.microbench.compare.load.CallDigest;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.FrameReport;
import org.freshet.microbench.compare.load.HttpDialect;
import org.freshet.microbench.compare.load.ObjectDialect;
import org.freshet.microbench.compare.load.SlowRequest;
import org.freshet.microbench.compare.load.Tls;
import org.freshet.util.Timer;

/** The pipelines of Freshet's servers. Each connection's pipeline is run by its I/O thread. */
final class FreshetPipelines implements ChannelPipelineFactory, AutoCloseable {
    private static final int MAX_FRAME_BYTES = 1 << 20;
    private static final byte[] CONTENT = HttpDialect.CONTENT.getBytes(StandardCharsets.US_ASCII);

    private static final Http2Settings WITH_WEB_SOCKET =
            Http2Settings.defaults().toBuilder().webSocket(true).build();

    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup();
    private final ObjectInputFilter numbers = ObjectInputFilter.Config.createFilter(ObjectDialect.FILTER);
    private final StringDecoder stringDecoder = new StringDecoder(StandardCharsets.ISO_8859_1);
    private final StringEncoder stringEncoder = new StringEncoder(StandardCharsets.ISO_8859_1);

    private final FreshetHandover handover = new FreshetHandover();

    /** Null in other roles. */
    private final FreshetExecution execution;

    /** Null in other roles. */
    private final ServedFile file;

    /** Null in other roles. */
    private final StaticFiles files;

    /** The answer to an HTTP/2 request; empty in other roles. */
    private final byte[] http2Content;

    FreshetPipelines(Assignment assignment) {
        this.assignment = assignment;
        file = assignment.role() == Role.FILES ? ServedFile.of(assignment) : null;
        http2Content = HttpDialect.content(assignment.role() == Role.H2 ? assignment.number("answer") : 0);
        files = file == null ? null : StaticFiles.under(file.directory()).build();
        execution = assignment.role() == Role.ORDERED ? FreshetExecution.of(Way.of(assignment.text("way"))) : null;
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
            case FILES -> Channels.pipeline(new HttpServerCodec(), new StaticFileHandler(files));
            case HTTP -> Channels.pipeline(new HttpServerCodec(), answering());
            case H2 ->
                assignment.isSecure()
                        ? Channels.pipeline(
                                new SslHandler(Tls.serverEngine()), new Http2ServerHandler(this::requestPipeline))
                        : Channels.pipeline(new Http2ServerHandler(this::requestPipeline));
            case WEBSOCKET ->
                assignment.has("h2")
                        ? Channels.pipeline(new Http2ServerHandler(
                                () -> Channels.pipeline(new WebSocketServerProtocolHandler("/"), new Echo()),
                                WITH_WEB_SOCKET))
                        : Channels.pipeline(new HttpServerCodec(), new WebSocketServerProtocolHandler("/"), new Echo());
        };
    }

    private ChannelPipeline calls() {
        ChannelPipeline pipeline = Channels.pipeline();
        for (int i = 1; assignment.has("handlers") && i < assignment.number("handlers"); i++) {
            pipeline.addLast("passing " + i, new SimpleChannelUpstreamHandler());
        }
        pipeline.addLast("calls", new Calls(assignment.number("size")));
        return pipeline;
    }

    private ChannelHandler answering() {
        return assignment.has("body") ? new Counting() : new Answering(CONTENT);
    }

    /** Returns a factory for HTTP, answered by a function. */
    ChannelPipelineFactory function() {
        if (!assignment.has("body")) {
            RequestHandler handler = RequestHandler.of(request -> answer(CONTENT));
            return () -> Channels.pipeline(new HttpServerCodec(), handler);
        }
        RequestHandler handler = RequestHandler.of(request ->
                answer(HttpDialect.countOf(request.request().getContent().readableBytes())));
        return () -> Channels.pipeline(new HttpServerCodec(), new HttpChunkAggregator(Integer.MAX_VALUE), handler);
    }

    private static HttpResponse answer(byte[] content) {
        return HttpResponses.content(HttpResponseStatus.OK, HttpDialect.CONTENT_TYPE, content);
    }

    /** Returns an echo pipeline. */
    static ChannelPipeline borrowing() {
        return Channels.pipeline(new BorrowingEcho());
    }

    /** Returns a factory for echoes of bytes or lines. */
    ChannelPipelineFactory conversing() {
        boolean isOfLines = assignment.role() == Role.LINES;
        ConversationHandler echo = new ConversationHandler(talk -> {
            for (Object message = talk.read(); message != null; message = talk.read()) {
                talk.write(isOfLines ? message + "\n" : message);
            }
        });
        return isOfLines
                ? () -> Channels.pipeline(lineDecoder(), stringDecoder, stringEncoder, echo)
                : () -> Channels.pipeline(echo);
    }

    /** Returns a factory for HTTP, with everything a server needs besides the codec. */
    ChannelPipelineFactory readyMade(Timer timer) {
        return HttpServerPipeline.builder(timer)
                .date(false) // the others send no date, and answers are compared byte by byte
                .handler("application", this::answering)
                .build();
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

    private static ChannelHandler lineDecoder() {
        return new DelimiterBasedFrameDecoder(MAX_FRAME_BYTES, Delimiters.lineDelimiter());
    }

    private ChannelPipeline requestPipeline() {
        return Channels.pipeline(assignment.has("body") ? new Counting() : new Answering(http2Content));
    }

    private ChannelPipeline reports(CountingDecoder decoder) {
        return Channels.pipeline(decoder, stringDecoder, new Reporting(decoder));
    }

    private ChannelHandler objectDecoder() {
        return new ObjectDecoder(MAX_FRAME_BYTES, ClassResolvers.cacheDisabled(null), numbers);
    }

    /** Uses the wire format of the {@code java.net} servers: Java's object streams at both ends. */
    ChannelPipelineFactory objectStreams() {
        CompatibleObjectEncoder encoder = new CompatibleObjectEncoder(1, true);
        return () -> Channels.pipeline(
                new CompatibleObjectDecoder(
                        MAX_FRAME_BYTES, MAX_FRAME_BYTES, ClassResolvers.cacheDisabled(null), numbers),
                encoder,
                new Objects());
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

    @ChannelHandler.Borrower
    private static final class BorrowingEcho extends Closing {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(Channels.borrow(event));
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
        private final byte[] content;

        Answering(byte[] content) {
            this.content = content;
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            if (event.getMessage() instanceof HttpRequest) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.headers().set(HttpHeaders.Names.CONTENT_TYPE, HttpDialect.CONTENT_TYPE);
                response.headers().set(HttpHeaders.Names.CONTENT_LENGTH, content.length);
                response.setContent(ChannelBuffers.wrappedBuffer(content));
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
