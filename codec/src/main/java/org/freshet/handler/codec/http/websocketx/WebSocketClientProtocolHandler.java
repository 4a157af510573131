package org.freshet.handler.codec.http.websocketx;

import java.nio.channels.ClosedChannelException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;

/**
 * The client's side of WebSocket: performs the handshake once the channel is connected, answers pings and close frames, and
 * closes the connection if the server fails to. Add it after an {@link org.freshet.handler.codec.http.HttpClientCodec}, and for
 * {@code wss} after an {@link org.freshet.handler.ssl.SslHandler}.
 *
 * <ul>
 * <li>After the handshake {@link #handshakeFuture()} succeeds, and a {@link WebSocketHandshakeEvent} goes up, followed by the
 * frames; {@link WebSocketHandler} has a method for each. Frames may be written from then on.
 * <li>If the handshake fails or takes too long, the future fails, a {@link WebSocketHandshakeException} goes up, and the
 * channel is closed.
 * <li>A received close frame is answered. The server then closes the connection, or this side does after
 * {@link WebSocketConfig#closeTimeout()}. Nothing may follow a close frame that you write: further frames fail with
 * {@link ClosedChannelException}. {@code channel.close()} first sends a close frame with code 1000.
 * </ul>
 *
 * <p>Use one handler per channel. Any thread may write.
 */
public class WebSocketClientProtocolHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    private final WebSocketClientConfig config;
    private final WebSocketClientHandshaker handshaker;

    private volatile ChannelHandlerContext ctx;

    /** Null until it is requested or the handshake is over. Guarded by this. */
    private ChannelFuture handshakeFuture;

    // ---- I/O thread only ----

    private Deadline handshakeDeadline;
    private boolean failed;

    /** The response is being checked; the outcome decides the future. */
    private boolean finishing;

    /** Null until the handshake is done. Any thread may read this. */
    private volatile OpenConnection open;

    public WebSocketClientProtocolHandler(WebSocketClientConfig config) {
        this.config = config;
        this.handshaker = config.newHandshaker();
    }

    /**
     * Completes when the handshake succeeds or fails. Any thread may call this.
     *
     * @throws IllegalStateException if the handler is not in the pipeline of a channel
     */
    public ChannelFuture handshakeFuture() {
        ChannelHandlerContext current = ctx;
        if (current == null || !current.getPipeline().isAttached()) {
            throw new IllegalStateException("the handler is not in the pipeline of a channel");
        }
        synchronized (this) {
            if (handshakeFuture == null) {
                handshakeFuture = Channels.future(current.getChannel());
            }
            return handshakeFuture;
        }
    }

    // ---- the handshake ----

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isConnected()) {
            ctx.getPipeline().execute(this::start);
        }
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        start();
        ctx.sendUpstream(e);
    }

    private void start() {
        if (handshakeDeadline != null || failed) {
            return;
        }
        Channel channel = ctx.getChannel();
        long millis = Durations.millis(config.handshakeTimeout());
        handshakeDeadline = new Deadline(
                config.timer(), millis, () -> SerialChannel.executeUrgently(channel, () -> onHandshakeTimeout(millis)));
        try {
            if (millis > 0) {
                handshakeDeadline.start();
            }
            handshaker.handshake(channel).addListener(this::onRequestWritten);
        } catch (Exception failure) {
            fail(CloseReason.Kind.LOCAL, failure);
        }
    }

    private void onRequestWritten(ChannelFuture written) {
        if (!written.isSuccess()) {
            SerialChannel.executeUrgently(
                    ctx.getChannel(), () -> fail(CloseReason.Kind.WRITE_FAILED, written.getCause()));
        }
    }

    private void onHandshakeTimeout(long millis) {
        if (open == null) {
            fail(CloseReason.Kind.TIMED_OUT, new WebSocketHandshakeException("no handshake within " + millis + " ms"));
        }
    }

    private void fail(CloseReason.Kind kind, Throwable cause) {
        if (!failed) {
            failed = true;
            Channels.noteCloseReason(ctx.getChannel(), CloseReason.of(kind, null, cause));
            handshakeDeadline.cancel();
            handshakeFuture().setFailure(cause);
            Channels.fireExceptionCaught(ctx, cause);
            ctx.getChannel().close();
        }
    }

    private void onResponse(HttpResponse response) {
        int code = response.getStatus().getCode();
        if (code >= 100 && code < 200 && code != 101) {
            return; // the final response is still to come
        }
        finishing = true;
        try {
            handshaker.finishHandshake(ctx.getChannel(), response);
        } catch (RuntimeException failure) {
            fail(CloseReason.Kind.PROTOCOL, failure);
            return;
        } finally {
            finishing = false;
        }
        handshakeDeadline.cancel();
        OpenConnection connection = new OpenConnection(ctx, config, false);
        open = connection;
        handshakeFuture().setSuccess();
        ctx.sendUpstream(new WebSocketHandshakeEvent(ctx.getChannel(), response, handshaker.getActualSubprotocol()));
        connection.start();
    }

    // ---- frames ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = e.getMessage();
        if (open == null && handshakeDeadline != null) {
            if (message instanceof HttpResponse response && !failed) {
                onResponse(response);
            } else if (!failed && !(message instanceof HttpChunk)) {
                ctx.sendUpstream(e);
            }
            return;
        }
        if (!(message instanceof WebSocketFrame frame) || open == null || !open.onFrame(frame)) {
            ctx.sendUpstream(e);
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        OpenConnection connection = open;
        if (connection != null) {
            if (e instanceof MessageEvent message && message.getMessage() instanceof WebSocketFrame frame) {
                connection.onWrite(message, frame);
                return;
            }
            if (WebSocketServerProtocolHandler.isCloseRequest(e)) {
                connection.onCloseRequest(e.getFuture(), false);
            }
        } else if (e instanceof MessageEvent message && message.getMessage() instanceof WebSocketFrame) {
            message.getFuture()
                    .setFailure(new IllegalStateException("cannot write a frame before the handshake is done"));
            return;
        }
        ctx.sendDownstream(e);
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        if (open != null) {
            open.onInterestChanged();
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        if (open != null) {
            open.onSent();
        }
        ctx.sendUpstream(e);
    }

    // ---- the end ----

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        end(new ClosedChannelException());
        ctx.sendUpstream(e);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached()) {
            end(new IllegalStateException("the handler was removed before the handshake was done"));
        }
    }

    private void end(Exception cause) {
        if (handshakeDeadline != null) {
            handshakeDeadline.cancel();
        }
        if (open != null) {
            open.onClosed();
        } else if (!finishing) {
            failed = true;
            handshakeFuture().setFailure(cause);
        }
    }
}
