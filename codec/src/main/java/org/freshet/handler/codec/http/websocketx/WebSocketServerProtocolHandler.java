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
import org.freshet.internal.ActsOn;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;

/**
 * The server's side of WebSocket: performs the handshake and answers pings and close frames, so the handlers after it only deal
 * with data frames. Add it after an {@link org.freshet.handler.codec.http.HttpServerCodec}.
 *
 * <ul>
 * <li>After the handshake a {@link WebSocketHandshakeEvent} goes up, followed by the frames; {@link WebSocketHandler} has a
 * method for each.
 * <li>A received close frame is answered, and the connection closed. Nothing may follow a close frame that you write: further
 * frames fail with {@link java.nio.channels.ClosedChannelException}, and the connection is closed once the client has answered
 * or {@link WebSocketConfig#closeTimeout()} has passed. {@code channel.close()} first sends a close frame with code 1000.
 * <li>When the server is {@linkplain DrainEvent drained}, the client gets a close frame with code 1001 as soon as no handler
 * holds the channel, and has {@link WebSocketConfig#closeTimeout()} to answer.
 * <li>With a {@link WebSocketServerConfig}, requests for other paths go up unchanged, origins are checked, and the handshake
 * has a time-out. With the other constructors every request is a WebSocket request, whatever its path and origin.
 * </ul>
 *
 * <p>Use one handler per channel. Any thread may write.
 */
@ActsOn({})
public class WebSocketServerProtocolHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    /** For the constructors without a configuration: any path, any origin, no handshake time-out. */
    static final WebSocketServerConfig AS_NETTY3 = WebSocketServerConfig.builder(null)
            .allowAnyOrigin()
            .handshakeTimeout(Duration.ZERO)
            .build();

    private final WebSocketServerConfig config;
    private final WebSocketServerProtocolHandshakeHandler handshakeHandler;

    private ChannelHandlerContext ctx;

    /** Null unless a handshake is awaited. */
    private Deadline handshakeDeadline;

    /** The handshaker for the accepted request; null before that. */
    private WebSocketServerHandshaker handshaker;

    /** The accepted request; null before it arrives and again after the handshake. */
    private HttpRequest request;

    /** Null until the handshake is done. */
    private volatile OpenConnection open;

    /** Null until the channel is being drained. */
    private volatile DrainEvent drain;

    /** Without sub-protocols or extensions. */
    public WebSocketServerProtocolHandler(String websocketPath) {
        this(websocketPath, null);
    }

    /** Without extensions. */
    public WebSocketServerProtocolHandler(String websocketPath, String subprotocols) {
        this(websocketPath, subprotocols, false);
    }

    /**
     * @param websocketPath the URL that draft 00 sends back; all requests are WebSocket requests, whatever their path
     * @param subprotocols the server's sub-protocols, separated by commas; null for none. A client that asks only for others is
     * refused
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     */
    public WebSocketServerProtocolHandler(String websocketPath, String subprotocols, boolean allowExtensions) {
        config = AS_NETTY3;
        handshakeHandler = new WebSocketServerProtocolHandshakeHandler(
                config, new WebSocketServerHandshakerFactory(websocketPath, subprotocols, allowExtensions), this);
    }

    /** Accepts RFC 6455 only. */
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

    /** Adds the handshake handler before this one, unless the pipeline already has one. */
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
        handshakeDeadline.startAnyway();
    }

    private void onHandshakeTimeout() {
        if (handshakeDeadline != null && open == null) {
            ctx.getChannel().close(CloseReason.of(CloseReason.Kind.TIMED_OUT, "no WebSocket handshake in time"));
        }
    }

    private void stopHandshakeDeadline() {
        if (handshakeDeadline != null) {
            handshakeDeadline.cancel();
            handshakeDeadline = null; // connections live long: free it
        }
    }

    /** The client uses plain HTTP, so the handshake time-out no longer applies. */
    void onPlainHttp() {
        stopHandshakeDeadline();
    }

    /** The request is about to be answered. */
    void onHandshake(WebSocketServerHandshaker handshaker, HttpRequest request) {
        this.handshaker = handshaker;
        this.request = request;
    }

    /** Frames may be written and received from now on. */
    void onSwitched() {
        if (open == null) {
            stopHandshakeDeadline();
            OpenConnection connection = new OpenConnection(ctx, config, true);
            open = connection;
            HttpRequest answered = request;
            request = null; // connections live long: free it
            ctx.sendUpstream(
                    new WebSocketHandshakeEvent(ctx.getChannel(), answered, handshaker.getSelectedSubprotocol()));
            connection.start();
            if (drain != null) {
                drain.claim();
            }
        }
    }

    /** A close that ends a drain announces that the server is going away, see {@link #handleDownstream}. */
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
                return; // the close follows when the client has answered
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

    /** Sends the failure up. The decoder has already answered a {@link WebSocketFailure} with a close frame. */
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
