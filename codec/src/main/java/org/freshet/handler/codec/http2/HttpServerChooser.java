package org.freshet.handler.codec.http2;

import java.util.Objects;
import javax.net.ssl.SSLEngine;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.HandlersBelow;
import org.freshet.internal.request.SerialChannel;

/**
 * Serves HTTP/1.1 and HTTP/2 on one port with the same handlers. With TLS the client chooses by ALPN; without TLS, by its first
 * bytes: no HTTP/1.1 request looks like the HTTP/2 preface. This handler then replaces itself: for HTTP/1.1 with an
 * {@link HttpServerCodec} and the handlers of a pipeline from the factory, for HTTP/2 with an {@link Http2ServerHandler}, which
 * takes a pipeline from the factory for each request.
 *
 * <pre>{@code
 * SslContext tls = SslContextBuilder.forServer(new File("server.pem"), new File("server.key"))
 *         .applicationProtocols("h2", "http/1.1")
 *         .build();
 * ChannelPipelineFactory requests = () -> Channels.pipeline(new HttpContentCompressor(), new Application());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(tls.newHandler(), new HttpServerChooser(requests)));
 * }</pre>
 *
 * <p>Add a {@link org.freshet.handler.codec.http.server.LingeringCloseHandler} below this one, and a peer that is still sending
 * gets to read why the connection ends. A client that does not begin within {@link Http2Timeouts#handshake()} is disconnected;
 * after that, time limits are up to the handlers. If the factory or one of its handlers throws, an exception event follows and
 * the connection is closed. Events before the choice, such as the connect, reach the handlers after it. An upgrade from
 * HTTP/1.1 ({@code Upgrade: h2c}) is not offered, because RFC 9113 has removed it.
 *
 * <p>Use one handler per connection. If you remove it before the choice, do so on the I/O thread: what it has received goes to the next
 * handler, after the I/O thread's current work.
 */
public final class HttpServerChooser implements ChannelUpstreamHandler, LifeCycleAwareChannelHandler {
    private final ChannelPipelineFactory connections;
    private final ChannelPipelineFactory requests;
    private final Http2Settings settings;

    private final ChosenHandlers chosen = new ChosenHandlers();

    private ChannelBuffer received = ChannelBuffers.EMPTY_BUFFER;

    /** The handlers could not be added: the client's data is dropped until the connection is closed. */
    private boolean hasFailed;

    /** Null unless the choice has a time limit and the channel is connected. */
    private Deadline deadline;

    /** Uses {@link Http2Settings#defaults()}. */
    public HttpServerChooser(ChannelPipelineFactory requests) {
        this(requests, Http2Settings.defaults());
    }

    /**
     * @param requests creates a pipeline for each HTTP/1.1 connection, and for each HTTP/2 request
     * @param settings limits on received data; its HTTP limits also apply to HTTP/1.1
     */
    public HttpServerChooser(ChannelPipelineFactory requests, Http2Settings settings) {
        this(withCodec(requests, settings), requests, settings);
    }

    /**
     * Uses different handlers for each version.
     *
     * @param connections creates a pipeline for each HTTP/1.1 connection, including its {@link HttpServerCodec}
     * @param requests creates a pipeline for each HTTP/2 request
     * @param settings limits on data received over HTTP/2
     */
    public HttpServerChooser(
            ChannelPipelineFactory connections, ChannelPipelineFactory requests, Http2Settings settings) {
        this.connections = Objects.requireNonNull(connections, "connections");
        this.requests = Objects.requireNonNull(requests, "requests");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    private static ChannelPipelineFactory withCodec(ChannelPipelineFactory requests, Http2Settings settings) {
        Objects.requireNonNull(requests, "requests");
        Objects.requireNonNull(settings, "settings");
        return () -> {
            ChannelPipeline pipeline = requests.getPipeline();
            pipeline.addFirst(ChosenHandlers.freeName(pipeline, "http1"), new HttpServerCodec(settings.httpLimits()));
            return pipeline;
        };
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (hasFailed && e instanceof MessageEvent) {
            return;
        }
        if (chosen.isMade() || e instanceof ExceptionEvent) {
            ctx.sendUpstream(e);
        } else if (e instanceof MessageEvent message && message.getMessage() instanceof ChannelBuffer in) {
            received = received.readable() ? ChannelBuffers.copiedBuffer(received, in) : in;
            choose(ctx);
        } else {
            chosen.keep(e);
            if (isClosed(e)) {
                stopDeadline();
                chosen.passOn(ctx);
            } else if (isConnected(e)) {
                startDeadline(ctx);
            }
        }
    }

    private static boolean isClosed(ChannelEvent e) {
        return e instanceof ChannelStateEvent event
                && event.getState() == ChannelState.OPEN
                && Boolean.FALSE.equals(event.getValue());
    }

    private static boolean isConnected(ChannelEvent e) {
        return e instanceof ChannelStateEvent event
                && event.getState() == ChannelState.CONNECTED
                && event.getValue() != null;
    }

    private void startDeadline(ChannelHandlerContext ctx) {
        long millis = settings.timeouts().handshakeMillis();
        if (millis > 0) {
            Channel channel = ctx.getChannel();
            Runnable check = () -> closeUnlessChosen(ctx);
            deadline = new Deadline(settings.timer(), millis, () -> SerialChannel.executeUrgently(channel, check));
            deadline.startAnyway();
        }
    }

    private void closeUnlessChosen(ChannelHandlerContext ctx) {
        if (!chosen.isMade()) {
            Channels.noteCloseReason(
                    ctx.getChannel(),
                    CloseReason.of(
                            CloseReason.Kind.TIMED_OUT,
                            "the client sent neither an HTTP/1.1 request nor the HTTP/2 preface in time"));
            Channels.close(ctx, Channels.future(ctx.getChannel()));
        }
    }

    private void choose(ChannelHandlerContext ctx) {
        SslHandler ssl = HandlersBelow.nearest(ctx, SslHandler.class);
        int matching = matchingPreface();
        boolean isHttp2 = ssl != null ? isHttp2(ssl.getEngine()) : matching == Http2ServerHandler.PREFACE.length;
        boolean isOpen = ssl == null && !isHttp2 && matching == received.readableBytes();
        if (!isOpen) {
            become(ctx, isHttp2);
        }
    }

    private static boolean isHttp2(SSLEngine engine) {
        return "h2".equals(engine.getApplicationProtocol());
    }

    private int matchingPreface() {
        int most = Math.min(received.readableBytes(), Http2ServerHandler.PREFACE.length);
        int count = 0;
        while (count < most && received.getByte(received.readerIndex() + count) == Http2ServerHandler.PREFACE[count]) {
            count++;
        }
        return count;
    }

    private void become(ChannelHandlerContext ctx, boolean isHttp2) {
        if (!chosen.add(ctx, () -> addHandlers(ctx, isHttp2))) {
            hasFailed = true;
            received = ChannelBuffers.EMPTY_BUFFER;
            stopDeadline();
            return;
        }
        ChannelPipeline pipeline = ctx.getPipeline();
        ChannelBuffer in = received;
        received = ChannelBuffers.EMPTY_BUFFER;
        stopDeadline();
        chosen.passOn(ctx);
        Channels.fireMessageReceived(ctx, in, ctx.getChannel().getRemoteAddress());
        if (pipeline.get(ctx.getName()) == this) {
            pipeline.remove(this);
        }
    }

    private void addHandlers(ChannelHandlerContext ctx, boolean isHttp2) throws Exception {
        ChannelPipeline pipeline = ctx.getPipeline();
        if (isHttp2) {
            pipeline.addAfter(
                    ctx.getName(),
                    ChosenHandlers.freeName(pipeline, "http2"),
                    new Http2ServerHandler(requests, settings));
        } else {
            ChosenHandlers.move(ctx, connections.getPipeline());
        }
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel();
        }
    }

    // ---- being removed ----

    /** Before the choice, what was kept goes to the next handler, and the time limit no longer applies. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) {
        if (ctx.getPipeline().isAttached()) {
            ChosenHandlers.whenGone(ctx, () -> onRemoved(ctx));
        }
    }

    private void onRemoved(ChannelHandlerContext ctx) {
        if (chosen.isMade()) {
            return;
        }
        stopDeadline();
        ChannelBuffer in = received;
        received = ChannelBuffers.EMPTY_BUFFER;
        chosen.passOn(ctx);
        if (in.readable()) {
            Channels.fireMessageReceived(ctx, in, ctx.getChannel().getRemoteAddress());
        }
    }
}
