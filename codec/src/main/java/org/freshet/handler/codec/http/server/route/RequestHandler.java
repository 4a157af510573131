package org.freshet.handler.codec.http.server.route;

import java.util.Objects;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.ErrorPage;

/**
 * Answers requests with functions: those of a {@link Router}, or a single one. It writes one response for each request, whatever a
 * function does.
 *
 * <pre>{@code
 * RequestHandler handler = RequestHandler.of(request -> HttpResponses.text("You asked for " + request.path() + "\n"));
 * ChannelPipelineFactory pipelines = () -> Channels.pipeline(
 *         new HttpServerCodec(), new HttpKeepAliveHandler(), new HttpChunkAggregator(64 * 1024), handler);
 * }</pre>
 *
 * <p><b>Before it</b> there must be an {@link org.freshet.handler.codec.http.HttpChunkAggregator}: a request whose content comes in
 * chunks is answered with 500.
 *
 * <p><b>Order.</b> Answers are sent in the order of their requests. With {@link
 * org.freshet.handler.codec.http.HttpLimits#maxPipelinedRequests()} above 1, functions may finish in any order: a response that is ready
 * early is held, and counts in the channel's {@link org.freshet.channel.WriteAccount} until it is sent.
 *
 * <p><b>Failures.</b> A function that throws an {@link org.freshet.handler.codec.http.HttpFailure} is answered with its status, and
 * nothing is logged. If a function throws anything else, or returns null or a response that cannot be sent, the answer is 500, the
 * connection is closed, and a {@link RequestFunctionException} goes to the {@code exceptionCaught} of the handlers behind this one; if
 * none handles it, it's logged.
 *
 * <p><b>Threads.</b> Functions run on the thread of the event: an I/O thread, unless a handler before this one passes events on
 * elsewhere. Immutable; one handler serves all connections.
 */
@Sharable
public final class RequestHandler implements ChannelUpstreamHandler {
    /** Null if one route answers everything. */
    private final Router router;

    /** Null with a router. */
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

    /** Answers all requests with one function. CONNECT is answered 405, see {@link #withConnect}. */
    public static RequestHandler of(RequestFunction function) {
        return of(null, Route.ofAll(Objects.requireNonNull(function, "function"), null));
    }

    /** Answers all requests with one function that answers later. CONNECT is answered 405, see {@link #withConnect}. */
    public static RequestHandler ofAsync(AsyncRequestFunction function) {
        return of(null, Route.ofAll(null, Objects.requireNonNull(function, "function")));
    }

    /** A handler that differs in how its error responses look. Default: the status as a line of text. */
    public RequestHandler withErrorPage(ErrorPage page) {
        return new RequestHandler(router, only, allowsConnect, new AnswerWriter(Objects.requireNonNull(page, "page")));
    }

    /**
     * A handler whose function answers CONNECT, too: an answer of the 2xx class turns the connection into a tunnel, whose bytes go to the
     * handlers behind this one. A router answers 405 all the same.
     */
    public RequestHandler withConnect() {
        return new RequestHandler(router, only, true, writer);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest request) {
            Place place = Place.of(ctx);
            answer(place, new RoutedRequest(ctx, request, place.told(ctx, request)));
        } else if (!(message instanceof HttpChunk)) { // a chunk belongs to a request that was answered with 500
            dropIfClosed(ctx);
            ctx.sendUpstream(e);
        }
    }

    private static void dropIfClosed(ChannelHandlerContext ctx) {
        AnswerOrder order = ctx.getAttachment() instanceof Place place ? place.existingOrder() : null;
        if (order != null && !ctx.getChannel().isOpen()) {
            order.update();
        }
    }

    private void answer(Place place, RoutedRequest request) {
        LateAnswer late = null;
        HttpResponse response = null;
        Throwable thrown = null;
        try {
            checkWhole(request.request());
            Route route = route(request);
            if (route.async() == null) {
                response = route.function().apply(request);
            } else {
                late = place.order(request.ctx).add(writer, request);
                Objects.requireNonNull(route.async().apply(request), "the function returned null instead of a stage")
                        .whenComplete(late);
                return;
            }
        } catch (Throwable t) { // functions may throw anything, and the request is still unanswered
            thrown = t;
        }
        if (late == null) {
            answer(place.existingOrder(), request, response, thrown);
        } else {
            late.accept(response, thrown);
        }
    }

    /**
     * Answers now, or behind the late answers before.
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
                    "the request's content comes in chunks: put an HttpChunkAggregator before the RequestHandler");
        }
    }
}
