package org.freshet.handler.codec.http.server.route;

import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpChunk;
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
 * chunks is answered with 500. Answers are written when functions have made them. They are in order, since the handlers of a server
 * pass one request at a time by default.
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

    private final AnswerWriter writer;

    private RequestHandler(Router router, Route only, ErrorPage page) {
        this.router = router;
        this.only = only;
        writer = new AnswerWriter(page);
    }

    /** Answers requests with the functions of a router. */
    public static RequestHandler of(Router router) {
        return new RequestHandler(Objects.requireNonNull(router, "router"), null, AnswerWriter.PLAIN);
    }

    /** Answers all requests with one function. */
    public static RequestHandler of(RequestFunction function) {
        Objects.requireNonNull(function, "function");
        return new RequestHandler(null, Route.ofAll(function, null), AnswerWriter.PLAIN);
    }

    /** Answers all requests with one function that answers later. */
    public static RequestHandler ofAsync(AsyncRequestFunction function) {
        Objects.requireNonNull(function, "function");
        return new RequestHandler(null, Route.ofAll(null, function), AnswerWriter.PLAIN);
    }

    /** A handler that differs in how its error responses look. Default: the status as a line of text. */
    public RequestHandler withErrorPage(ErrorPage page) {
        return new RequestHandler(router, only, Objects.requireNonNull(page, "page"));
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest request) {
            answer(new RoutedRequest(ctx, request));
        } else if (!(message instanceof HttpChunk)) { // a chunk belongs to a request that was answered with 500
            ctx.sendUpstream(e);
        }
    }

    private void answer(RoutedRequest request) {
        LateAnswer late = null;
        HttpResponse response = null;
        try {
            checkWhole(request.request());
            Route route = only == null ? router.route(request) : only;
            if (route.async() == null) {
                response = route.function().apply(request);
            } else {
                CompletionStage<? extends HttpResponse> stage = route.async().apply(request);
                late = new LateAnswer(writer, request);
                Objects.requireNonNull(stage, "the function returned null instead of a stage")
                        .whenComplete(late);
            }
        } catch (Throwable t) { // functions may throw anything, and the request is still unanswered
            if (late == null || late.claim()) {
                report(request, writer.fail(request, t));
            }
            return;
        }
        if (late == null) {
            report(request, writer.respond(request, response));
        }
    }

    private static void checkWhole(HttpRequest request) {
        if (request.isChunked()) {
            throw new IllegalStateException(
                    "the request's content comes in chunks: put an HttpChunkAggregator before the RequestHandler");
        }
    }

    /** @param failure null for none */
    private static void report(RoutedRequest request, Throwable failure) {
        if (failure != null) {
            Channels.fireExceptionCaught(request.ctx, failure);
        }
    }
}
