package org.freshet.handler.codec.http.websocketx;

import java.time.Duration;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;

/**
 * A server's side of WebSocket: answers the handshake, pings and close frames, so that the handlers behind it deal with the frames
 * that carry data. Put it behind an {@link org.freshet.handler.codec.http.HttpServerCodec}.
 *
 * <ul>
 * <li>After the handshake a {@link WebSocketHandshakeEvent} goes up, then the frames; {@link WebSocketHandler} has a method for
 *     each.
 * <li>A close frame is answered, and the connection closed. A close frame that is written is followed by nothing: further frames fail
 *     with {@link java.nio.channels.ClosedChannelException}, and the connection is closed once the client has answered or
 *     {@link WebSocketConfig#closeTimeout()} is over. {@code channel.close()} sends a close frame with code 1000 first.
 * <li>When the server is {@linkplain DrainEvent drained}, the client gets a close frame with code 1001 as soon as no handler holds
 *     the channel, and may answer it within {@link WebSocketConfig#closeTimeout()}.
 * <li>With a {@link WebSocketServerConfig}, requests of other paths go up as they are, origins are checked, and a handshake must be
 *     done in time. With the other constructors each request is one for WebSocket, whatever its path and origin.
 * </ul>
 *
 * <p>Threading: for one channel. Anything may be written by any thread.
 */
public class WebSocketServerProtocolHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    /** Of the constructors without a configuration: any path, any origin, no time-out of the handshake. */
    static final WebSocketServerConfig AS_NETTY3 = WebSocketServerConfig.builder(null)
            .allowAnyOrigin()
            .handshakeTimeout(Duration.ZERO)
            .build();

    private final WebSocketServerConfig config;
    private final WebSocketServerProtocolHandshakeHandler handshakeHandler;

    private ChannelHandlerContext ctx;

    /** Null while no handshake is awaited. */
    private Deadline handshakeDeadline;

    /** Of the request that is answered with 101; null before. */
    private WebSocketServerHandshaker handshaker;

    /** The same; null after the handshake as well. */
    private HttpRequest request;

    /** Null before the handshake. */
    private volatile OpenConnection open;

    /** Null until the channel is drained. */
    private volatile DrainEvent drain;

    /** As the other constructor, without sub-protocols. */
    public WebSocketServerProtocolHandler(String websocketPath) {
        this(websocketPath, null);
    }

    /** As the other constructor, without extensions. */
    public WebSocketServerProtocolHandler(String websocketPath, String subprotocols) {
        this(websocketPath, subprotocols, false);
    }

    /**
     * @param websocketPath the URL that draft 00 sends back; requests of all paths are for WebSocket
     * @param subprotocols what this server speaks, separated by commas; null for none. A client that asks for others is refused.
     * @param allowExtensions whether frames may have reserved bits set, for handlers of the application's
     */
    public WebSocketServerProtocolHandler(String websocketPath, String subprotocols, boolean allowExtensions) {
        config = AS_NETTY3;
        handshakeHandler = new WebSocketServerProtocolHandshakeHandler(
                config, new WebSocketServerHandshakerFactory(websocketPath, subprotocols, allowExtensions), this);
    }

    /** Speaks RFC 6455 only. */
    public WebSocketServerProtocolHandler(WebSocketServerConfig config) {
        this.config = config;
        handshakeHandler = new WebSocketServerProtocolHandshakeHandler(config, null, this);
    }

    static WebSocketServerHandshaker getHandshaker(ChannelHandlerContext ctx) {
        return (WebSocketServerHandshaker) ctx.getAttachment();
    }

    static void setHandshaker(ChannelHandlerContext ctx, WebSocketServerHandshaker handshaker) {
        ctx.setAttachment(handshaker);
    }

    // ---- the handshake ----

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
    }

    /** Adds the handler that answers the handshake before this one, unless there is one. */
    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        ChannelPipeline pipeline = ctx.getPipeline();
        if (pipeline.get(WebSocketServerProtocolHandshakeHandler.class) == null) {
            pipeline.addBefore(
                    ctx.getName(), WebSocketServerProtocolHandshakeHandler.class.getName(), handshakeHandler);
        }
        if (pipeline.isAttached() && ctx.getChannel().isConnected()) {
            startHandshakeDeadline();
        }
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        startHandshakeDeadline();
        ctx.sendUpstream(e);
    }

    private void startHandshakeDeadline() {
        if (config.handshakeTimeout().isZero() || handshakeDeadline != null) {
            return;
        }
        Channel channel = ctx.getChannel();
        handshakeDeadline = new Deadline(
                config.timer(),
                Durations.millis(config.handshakeTimeout()),
                () -> SerialChannel.executeUrgently(channel, this::onHandshakeTimeout));
        handshakeDeadline.start();
    }

    private void onHandshakeTimeout() {
        if (handshakeDeadline != null && open == null) {
            ctx.getChannel().close(CloseReason.of(CloseReason.Kind.TIMED_OUT, "no WebSocket handshake in time"));
        }
    }

    private void stopHandshakeDeadline() {
        if (handshakeDeadline != null) {
            handshakeDeadline.cancel();
            handshakeDeadline = null; // a connection is open for long
        }
    }

    /** The client is here for something else: its time is not ours to measure. */
    void onPlainHttp() {
        stopHandshakeDeadline();
    }

    /** The request is about to be answered. */
    void onHandshake(WebSocketServerHandshaker handshaker, HttpRequest request) {
        this.handshaker = handshaker;
        this.request = request;
    }

    /** Frames may come and go. */
    void onSwitched() {
        if (open == null) {
            stopHandshakeDeadline();
            OpenConnection connection = new OpenConnection(ctx, config, true);
            open = connection;
            HttpRequest answered = request;
            request = null; // a connection is open for long
            ctx.sendUpstream(
                    new WebSocketHandshakeEvent(ctx.getChannel(), answered, handshaker.getSelectedSubprotocol()));
            connection.start();
            if (drain != null) {
                drain.claim();
            }
        }
    }

    /** The close that ends a drain says that the server goes away, see {@link #handleDownstream}. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof DrainEvent event) {
            drain = event;
            if (open != null) {
                event.claim();
            }
        }
        super.handleUpstream(ctx, e);
    }

    // ---- frames ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (!(e.getMessage() instanceof WebSocketFrame frame) || handshaker == null) {
            ctx.sendUpstream(e);
            return;
        }
        onSwitched();
        if (!open.onFrame(frame)) {
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
            if (isCloseRequest(e) && !connection.onCloseRequest(e.getFuture(), drain != null)) {
                return; // follows when the client has answered
            }
        }
        ctx.sendDownstream(e);
    }

    static boolean isCloseRequest(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && (request.getState() == ChannelState.OPEN && Boolean.FALSE.equals(request.getValue())
                        || request.getState() == ChannelState.CONNECTED && request.getValue() == null);
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

    /** Sends the failure up; a {@link WebSocketFailure} has already been answered with a close frame. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        ctx.sendUpstream(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        end();
        ctx.sendUpstream(e);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        end();
    }

    private void end() {
        stopHandshakeDeadline();
        if (open != null) {
            open.onClosed();
        }
    }
}
