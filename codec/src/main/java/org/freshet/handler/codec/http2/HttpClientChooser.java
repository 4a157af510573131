package org.freshet.handler.codec.http2;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.internal.handler.HandlersBelow;

/**
 * Sends requests over HTTP/2 if the server supports it, otherwise over HTTP/1.1, with the same handlers. It is the client's
 * counterpart of {@link HttpServerChooser}. With TLS, ALPN decides; without TLS, it's HTTP/1.1. This handler then replaces
 * itself: for HTTP/2 with an {@link Http2ClientHandler}, and each stream gets a pipeline from the factory; for HTTP/1.1 with an
 * {@link HttpClientCodec} and the handlers of one such pipeline.
 *
 * <pre>{@code
 * SslContext tls = SslContextBuilder.forClient().applicationProtocols("h2", "http/1.1").build();
 * HttpClientChooser chooser = new HttpClientChooser(() -> Channels.pipeline(new Application()));
 * clients.setPipelineFactory(() -> Channels.pipeline(tls.newHandler("example.com", 443), chooser));
 * clients.connect(new InetSocketAddress("example.com", 443));
 * chooser.open().thenAccept(channel -> channel.write(request));
 * }</pre>
 *
 * <p>Use one handler per connection. It handles events on the I/O thread; any thread may call {@link #open} and
 * {@link #isHttp2}.
 */
public final class HttpClientChooser implements ChannelUpstreamHandler, LifeCycleAwareChannelHandler {
    private final ChannelPipelineFactory requests;
    private final Http2Settings settings;
    private final ChosenHandlers chosen = new ChosenHandlers();

    /** Completed with the connection once its handlers are added. */
    private final CompletableFuture<Channel> ready = new CompletableFuture<>();

    /** Null for HTTP/1.1, and until the version is known. */
    private volatile Http2ClientConnection connection;

    /** Uses {@link Http2Settings#defaults()}. */
    public HttpClientChooser(ChannelPipelineFactory requests) {
        this(requests, Http2Settings.defaults());
    }

    /**
     * @param requests creates the pipeline of each HTTP/2 stream, or the single one of an HTTP/1.1 connection, without a codec
     * @param settings limits on received data; its HTTP limits also apply to HTTP/1.1
     */
    public HttpClientChooser(ChannelPipelineFactory requests, Http2Settings settings) {
        this.requests = Objects.requireNonNull(requests, "requests");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    /**
     * Returns a channel for one request and its answer, once the connection is established. Over HTTP/2 it is a new stream.
     * Over HTTP/1.1 it is always the connection: write the next request when the answer is complete.
     *
     * @return completed on the I/O thread; fails with the reason that ended the connection or kept the stream from opening
     */
    public CompletionStage<Channel> open() {
        return ready.thenCompose(this::openOn);
    }

    /** Whether the connection uses HTTP/2; false until that is known. Any thread may call this. */
    public boolean isHttp2() {
        return connection != null;
    }

    private CompletionStage<Channel> openOn(Channel channel) {
        if (connection == null) {
            return channel.isOpen()
                    ? CompletableFuture.completedFuture(channel)
                    : CompletableFuture.failedFuture(causeOfClose(channel));
        }
        CompletableFuture<Channel> stream = new CompletableFuture<>();
        try {
            connection.open(requests.getPipeline()).addListener(opened -> complete(stream, opened));
        } catch (Throwable e) { // from the factory
            stream.completeExceptionally(e);
        }
        return stream;
    }

    private static void complete(CompletableFuture<Channel> stream, ChannelFuture opened) {
        if (opened.isSuccess()) {
            stream.complete(opened.getChannel());
        } else {
            stream.completeExceptionally(opened.getCause());
        }
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        if (chosen.isMade() || e instanceof ExceptionEvent) {
            ctx.sendUpstream(e);
            return;
        }
        chosen.keep(e);
        if (isEnd(e, ChannelState.OPEN)) {
            chosen.passOn(ctx);
            ready.completeExceptionally(causeOfClose(ctx.getChannel()));
        } else if (e instanceof ChannelStateEvent event
                && event.getState() == ChannelState.CONNECTED
                && event.getValue() != null) {
            onConnected(ctx);
        }
    }

    private static Throwable causeOfClose(Channel channel) {
        CloseReason reason = channel.getCloseReason();
        return reason != null && reason.cause() != null ? reason.cause() : ChannelClosedException.of(channel);
    }

    private static boolean isEnd(ChannelEvent e, ChannelState state) {
        return e instanceof ChannelStateEvent event
                && event.getState() == state
                && Boolean.FALSE.equals(event.getValue());
    }

    private void onConnected(ChannelHandlerContext ctx) {
        SslHandler ssl = HandlersBelow.nearest(ctx, SslHandler.class);
        if (ssl == null) {
            choose(ctx, false);
        } else {
            ssl.handshake().addListener(done -> onHandshake(ctx, ssl, done));
        }
    }

    /** Called on any thread. */
    private void onHandshake(ChannelHandlerContext ctx, SslHandler ssl, ChannelFuture done) {
        if (done.isSuccess()) {
            ctx.getPipeline().execute(() -> onSecured(ctx, ssl));
        } else {
            ready.completeExceptionally(done.getCause());
        }
    }

    private void onSecured(ChannelHandlerContext ctx, SslHandler ssl) {
        if (!chosen.isMade()) {
            choose(ctx, "h2".equals(ssl.getEngine().getApplicationProtocol()));
        }
    }

    private void choose(ChannelHandlerContext ctx, boolean isHttp2) {
        if (!chosen.add(ctx, () -> addHandlers(ctx, isHttp2))) {
            ready.completeExceptionally(causeOfClose(ctx.getChannel()));
            return;
        }
        try {
            become(ctx, isHttp2);
        } catch (Throwable e) { // a handler above has removed the new ones, or there is no memory
            ready.completeExceptionally(e);
            throw e;
        }
        ready.complete(ctx.getChannel());
    }

    private void become(ChannelHandlerContext ctx, boolean isHttp2) {
        chosen.passOn(ctx);
        if (isHttp2) {
            connection = Http2ClientConnection.of(ctx.getChannel());
        }
        ChannelPipeline pipeline = ctx.getPipeline();
        if (pipeline.get(ctx.getName()) == this) {
            pipeline.remove(this);
        }
    }

    private void addHandlers(ChannelHandlerContext ctx, boolean isHttp2) throws Exception {
        ChannelPipeline pipeline = ctx.getPipeline();
        if (isHttp2) {
            pipeline.addAfter(
                    ctx.getName(), ChosenHandlers.freeName(pipeline, "http2"), new Http2ClientHandler(settings));
        } else {
            ChannelPipeline handlers = requests.getPipeline();
            handlers.addFirst(
                    ChosenHandlers.freeName(handlers, "http1"), new HttpClientCodec(settings.httpLimits(), true));
            ChosenHandlers.move(ctx, handlers);
        }
    }

    // ---- being removed ----

    /** Before the choice, the kept events go to the next handler, and {@link #open} fails: nothing else would complete it. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) {
        if (ctx.getPipeline().isAttached()) {
            ChosenHandlers.whenGone(ctx, () -> onRemoved(ctx)).addListener(executed -> {
                if (!executed.isSuccess()) { // the I/O thread has ended
                    ready.completeExceptionally(executed.getCause());
                }
            });
        }
    }

    private void onRemoved(ChannelHandlerContext ctx) {
        if (!chosen.isMade()) {
            ready.completeExceptionally(
                    new IllegalStateException("the handler was removed before the HTTP version was known"));
            chosen.passOn(ctx);
        }
    }
}
