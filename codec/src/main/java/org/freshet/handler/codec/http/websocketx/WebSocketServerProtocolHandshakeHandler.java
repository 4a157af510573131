package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;

/**
 * Answers the requests of a connection until one of them opens a WebSocket connection. {@link WebSocketServerProtocolHandler}
 * adds it before itself. A request that fails is answered with the status of the {@link WebSocketHandshakeException}, an
 * unknown version with 426, and an HTTP message after the handshake with 403. After each of these answers the connection is
 * closed, with a lingering close if the client is still sending (see
 * {@link org.freshet.handler.codec.http.server.LingeringCloseHandler}).
 *
 * <p>If earlier requests of the connection are unanswered, a request waits for their responses.
 */
@ActsOn(EventKind.INTEREST_CHANGED)
public class WebSocketServerProtocolHandshakeHandler extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler {
    private enum State {
        /** Requests are examined; the ones that are not for WebSocket pass. */
        HTTP,
        /**
         * A request for WebSocket waits for the responses to earlier requests. What follows is its content, or requests
         * after one that will be refused, and is dropped.
         */
        WAITING,
        /** A request has opened the WebSocket connection. */
        SWITCHED,
        /** The connection is closed once the answer is written; until then everything received is dropped. */
        REFUSED
    }

    private final WebSocketServerConfig config;

    /** Null if this handler is used alone. */
    private final WebSocketServerProtocolHandler owner;

    /** Creates handshakers with Netty 3's settings; null if the configuration applies instead. */
    private final WebSocketServerHandshakerFactory factory;

    /** A request that waits for the responses to earlier ones. */
    private record Waiting(HttpRequest request, Exchange exchange, Exchanges exchanges) {
        boolean isDue() {
            return exchanges.isDue(exchange);
        }
    }

    private volatile State state = State.HTTP;

    /** Null unless a request waits. Set to null by the thread that answers it. */
    private volatile Waiting waiting;

    /**
     * @param websocketPath the URL that draft 00 sends back; all requests are WebSocket requests, whatever their path
     * @param subprotocols the server's sub-protocols, separated by commas; null for none
     * @param allowExtensions whether frames may have reserved bits set, for the application's own handlers
     */
    public WebSocketServerProtocolHandshakeHandler(String websocketPath, String subprotocols, boolean allowExtensions) {
        this(
                WebSocketServerProtocolHandler.AS_NETTY3,
                new WebSocketServerHandshakerFactory(websocketPath, subprotocols, allowExtensions),
                null);
    }

    WebSocketServerProtocolHandshakeHandler(
            WebSocketServerConfig config,
            WebSocketServerHandshakerFactory factory,
            WebSocketServerProtocolHandler owner) {
        this.config = config;
        this.factory = factory;
        this.owner = owner;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = e.getMessage();
        State now = state;
        if (now == State.REFUSED || now == State.WAITING) {
            return;
        }
        if (now == State.SWITCHED) {
            // Check for frames first: a failed test for an interface is slow.
            if (!(message instanceof WebSocketFrame) && message instanceof HttpMessage) {
                refuse(ctx.getChannel(), HttpResponseStatus.FORBIDDEN, "");
            } else {
                ctx.sendUpstream(e);
            }
            return;
        }
        if (message instanceof HttpRequest request && config.matches(request)) {
            answerInTurn(ctx, request);
        } else {
            if (owner != null) {
                owner.onPlainHttp();
            }
            ctx.sendUpstream(e);
        }
    }

    // ---- the request's turn ----

    /** The client would take the answer for the one to an earlier request. */
    private void answerInTurn(ChannelHandlerContext ctx, HttpRequest request) {
        Exchanges exchanges = Exchanges.of(ctx.getPipeline());
        Exchange exchange = exchanges == null ? null : exchanges.of(request);
        if (exchange == null || exchanges.isDue(exchange)) {
            onRequest(ctx, request);
            return;
        }
        state = State.WAITING;
        waiting = new Waiting(request, exchange, exchanges);
        answerIfDue(ctx); // the last earlier response may have ended meanwhile
    }

    private void answerIfDue(ChannelHandlerContext ctx) {
        HttpRequest due = takeDue();
        if (due == null) {
            return;
        }
        try {
            onRequest(ctx, due);
        } catch (Throwable t) { // from a user's check, or out of memory; no future or event would show it
            Channels.fireExceptionCaught(ctx.getChannel(), t);
        }
    }

    /** Returns null if no request waits, or if its turn hasn't come. */
    private synchronized HttpRequest takeDue() {
        Waiting next = waiting;
        if (next == null || !next.isDue()) {
            return null;
        }
        waiting = null;
        state = State.HTTP;
        return next.request;
    }

    /** The request may be due now: a handler before this one may have held an earlier response back. */
    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        super.handleUpstream(ctx, e);
        if (waiting != null && !(e instanceof MessageEvent)) {
            answerIfDue(ctx);
        }
    }

    /** Any thread may call this. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendDownstream(e);
        if (waiting != null && e instanceof MessageEvent) {
            ctx.getPipeline().execute(() -> answerIfDue(ctx));
        }
    }

    private void onRequest(ChannelHandlerContext ctx, HttpRequest request) {
        try {
            handshake(ctx, request);
        } catch (WebSocketHandshakeException refused) {
            exceptionCaught(ctx, refused);
        }
    }

    private void handshake(ChannelHandlerContext ctx, HttpRequest request) {
        Channel channel = ctx.getChannel();
        ServerUpgrade.check(request);
        if (!config.allowsOriginOf(request, channel)) {
            throw new WebSocketHandshakeException("origin not allowed", HttpResponseStatus.FORBIDDEN);
        }
        WebSocketServerHandshaker handshaker = newHandshaker(request);
        if (handshaker == null) {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.UPGRADE_REQUIRED);
            response.headers().set(Names.SEC_WEBSOCKET_VERSION, WebSocketVersion.V13.toHttpHeaderValue());
            refuse(channel, response, "unknown WebSocket version");
            return;
        }
        state = State.SWITCHED; // the handshake may already deliver frames that followed the request
        WebSocketServerProtocolHandler.setHandshaker(ctx, handshaker);
        if (owner != null) {
            owner.onHandshake(handshaker, request);
        }
        boolean switched = false;
        try {
            handshaker.handshake(channel, request).addListener(WebSocketServerHandshaker.HANDSHAKE_LISTENER);
            switched = true;
        } finally {
            if (!switched) {
                state = State.HTTP;
            }
        }
        if (owner != null) {
            owner.onSwitched();
        }
    }

    private WebSocketServerHandshaker newHandshaker(HttpRequest request) {
        if (factory != null) {
            return factory.newHandshaker(request);
        }
        String version = request.headers().get(Names.SEC_WEBSOCKET_VERSION);
        return WebSocketVersion.V13.toHttpHeaderValue().equals(version)
                ? new WebSocketServerHandshaker13(config)
                : null;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        if (e.getCause() instanceof WebSocketHandshakeException && state == State.HTTP) {
            exceptionCaught(ctx, e.getCause());
        } else {
            ctx.sendUpstream(e);
        }
    }

    /** Answers a failed handshake; sends other failures up. */
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof WebSocketHandshakeException) {
            refuse(ctx.getChannel(), ((HttpFailure) cause).suggestedStatus(), cause.getMessage());
        } else {
            Channels.fireExceptionCaught(ctx, cause);
        }
    }

    private void refuse(Channel channel, HttpResponseStatus status, String why) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(why, UTF_8));
        response.headers().set(Names.CONTENT_TYPE, "text/plain; charset=utf-8");
        refuse(channel, response, why);
    }

    private void refuse(Channel channel, HttpResponse response, String why) {
        state = State.REFUSED;
        Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.PROTOCOL, why));
        LingeringClose.prepare(channel.getPipeline(), config.timer());
        HttpHeaders.setContentLength(response, response.getContent().readableBytes());
        response.headers().set(Names.CONNECTION, Values.CLOSE);
        channel.write(response).addListener(ChannelFutureListener.CLOSE);
    }
}
