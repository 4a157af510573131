package org.freshet.handler.codec.http.server.route;

import java.util.Objects;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.ErrorPage;

/**
 * Answers requests with functions: those of a {@link Router}, or a single one. It writes exactly one response per
 * request, whatever a function does.
 *
 * <pre>{@code
 * RequestHandler handler = RequestHandler.of(request -> HttpResponses.text("You asked for " + request.path() + "\n"));
 * ChannelPipelineFactory pipelines = () -> Channels.pipeline(
 *         new HttpServerCodec(), new HttpKeepAliveHandler(), new HttpChunkAggregator(64 * 1024), handler);
 * }</pre>
 *
 * <p><b>Requirements.</b> Put an {@link org.freshet.handler.codec.http.HttpChunkAggregator} before it: a request whose
 * content arrives in chunks is answered with 500.
 *
 * <p><b>Order.</b> Responses are sent in the order of their requests. With
 * {@link org.freshet.handler.codec.http.HttpLimits#maxPipelinedRequests()} above 1, functions may finish in any order:
 * a response that is ready early is held, and counts in the channel's {@link org.freshet.channel.WriteAccount} until it
 * is sent.
 *
 * <p><b>Failures.</b> If a function throws an {@link org.freshet.handler.codec.http.HttpFailure}, the response has its
 * status, and nothing is logged. If a function throws anything else, or returns null or a response that can't be sent,
 * the response is 500, the connection is closed, and a {@link RequestFunctionException} is passed to the
 * {@code exceptionCaught} of the handlers after this one. If none handles it, it is logged.
 *
 * <p><b>Threads.</b> Functions run on the thread of the event: an I/O thread, unless an earlier handler passes events
 * on elsewhere. Immutable; one handler can serve all connections.
 */
@Sharable
public final class RequestHandler extends SimpleChannelUpstreamHandler {
    /** Null if one route answers everything. */
    private final Router router;

    /** Null if there is a router. */
    private final Route only;

    private final boolean allowsConnect;
    private final AnswerWriter writer;

    private RequestHandler(Router router, Route only, boolean allowsConnect, AnswerWriter writer) {
        this.router = router;
        this.only = only;
        this.allowsConnect = allowsConnect;
        this.writer = writer;
    }

    private static RequestHandler of(Router router, Route only) {
        return new RequestHandler(router, only, false, new AnswerWriter(AnswerWriter.PLAIN));
    }

    /** Answers requests with the functions of a router. */
    public static RequestHandler of(Router router) {
        return of(Objects.requireNonNull(router, "router"), null);
    }

    /** Answers all requests with one function. CONNECT is answered with 405, see {@link #withConnect}. */
    public static RequestHandler of(RequestFunction function) {
        return of(null, Route.ofAll(Objects.requireNonNull(function, "function"), null));
    }

    /**
     * Answers all requests with one function that answers later. CONNECT is answered with 405, see
     * {@link #withConnect}.
     */
    public static RequestHandler ofAsync(AsyncRequestFunction function) {
        return of(null, Route.ofAll(null, Objects.requireNonNull(function, "function")));
    }

    /** Returns a handler with other error responses. Default: the status as a line of text. */
    public RequestHandler withErrorPage(ErrorPage page) {
        return new RequestHandler(router, only, allowsConnect, new AnswerWriter(Objects.requireNonNull(page, "page")));
    }

    /**
     * Returns a handler whose function also answers CONNECT. A 2xx response turns the connection into a tunnel, and its
     * bytes are passed to the handlers after this one. With a router, CONNECT is still answered with 405.
     */
    public RequestHandler withConnect() {
        return new RequestHandler(router, only, true, writer);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof HttpRequest request) {
            RequestHandlerState state = RequestHandlerState.of(ctx);
            answer(state, new RoutedRequest(ctx, request, state.forwarded(ctx, request)));
        } else if (!(e.getMessage() instanceof HttpChunk)) { // a chunk belongs to a request that was answered with 500
            ctx.sendUpstream(e);
        }
    }

    /** Drops responses that were held for earlier ones. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        AnswerOrder order = ctx.getAttachment() instanceof RequestHandlerState state ? state.existingOrder() : null;
        if (order != null) {
            order.update();
        }
        ctx.sendUpstream(e);
    }

    private void answer(RequestHandlerState state, RoutedRequest request) {
        LateAnswer late = null;
        HttpResponse response = null;
        Throwable thrown = null;
        try {
            checkWhole(request.request());
            Route route = route(request);
            if (route.async() == null) {
                response = route.function().apply(request);
            } else {
                late = state.order(request.ctx).add(writer, request);
                Objects.requireNonNull(route.async().apply(request), "the function returned null instead of a stage")
                        .whenComplete(late);
                return;
            }
        } catch (Throwable t) { // functions may throw anything, and the request is still unanswered
            thrown = t;
        }
        if (late == null) {
            answer(state.existingOrder(), request, response, thrown);
        } else {
            late.accept(response, thrown);
        }
    }

    /**
     * Answers now, or after earlier responses that are still to come.
     *
     * @param order null if no function has answered late
     */
    private void answer(AnswerOrder order, RoutedRequest request, HttpResponse response, Throwable thrown) {
        if (order != null && !order.isEmpty()) {
            order.add(writer, request).accept(response, thrown);
            return;
        }
        Throwable fault = thrown == null ? writer.respond(request, response) : writer.fail(request, thrown);
        if (fault != null) {
            Channels.fireExceptionCaught(request.ctx, fault);
        }
    }

    private Route route(RoutedRequest request) {
        if (only == null) {
            return router.route(request);
        }
        if (!allowsConnect && HttpMethod.CONNECT.equals(request.method())) {
            throw HttpStatusException.connectNotAllowed();
        }
        return only;
    }

    private static void checkWhole(HttpRequest request) {
        if (request.isChunked()) {
            throw new IllegalStateException(
                    "the request's content arrives in chunks: put an HttpChunkAggregator before the RequestHandler");
        }
    }
}
