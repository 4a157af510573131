package org.freshet.handler.codec.http.server;

import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.internal.ActsOn;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Answers refused requests with the status that the {@link HttpFailure} suggests, and closes the connection: 400 for
 * malformed requests, 408 for those that take too long, 413, 414, 417, 431, 501, 505. The channel's {@link CloseReason}
 * is then {@code PROTOCOL} or {@code TIMED_OUT}. Content in a transfer coding other than chunked that no earlier
 * handler has decoded is answered with 501.
 *
 * <pre>{@code
 * pipeline.addLast("lingeringClose", new LingeringCloseHandler(timer));
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("errors", new HttpErrorResponder());
 * }</pre>
 *
 * <p>The error response waits for the responses to earlier requests. No request is answered twice: if handlers have
 * begun to answer the refused request, the connection is closed instead. Once the refusal is sent, anything that
 * handlers write fails with {@link ClosedChannelException}. From the failure on, nothing that the client sends is
 * passed on.
 *
 * <p>A failure that is not an {@code HttpFailure} is passed up the pipeline unchanged. The handler that deals with it
 * may call {@link #answer}.
 *
 * <p>Put it after an {@link HttpServerCodec} and before the handlers that answer. Also put a
 * {@link LingeringCloseHandler} before the codec, so that a client that is still sending can read the response. In the
 * pipeline of an HTTP/2 stream, put it first. Use one instance per connection or stream. Any thread may write.
 */
@ActsOn({})
public final class HttpErrorResponder extends SimpleChannelHandler {
    private enum State {
        WATCHING,
        /** Requests before the failed one are not answered yet. */
        WAITING,
        /** The response was sent, or the connection was given up. */
        ENDED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HttpErrorResponder.class);

    private final ExchangesLink links = new ExchangesLink();
    private final AtomicReference<State> state = new AtomicReference<>(State.WATCHING);

    /** Set before the state is WAITING. */
    private volatile HttpResponseStatus status;

    /** Why the request failed; null if not known. Set before the state is WAITING. */
    private volatile Throwable cause;

    /** The exchange that failed; null if the failure belongs to no request. Set before the state is WAITING. */
    private volatile Exchange failed;

    private volatile ChannelHandlerContext ctx;

    private final boolean allowsConnect;
    private final ErrorPage pages;

    /** Sends a line of text as content, and answers CONNECT with 405. */
    public HttpErrorResponder() {
        this(false, null);
    }

    /**
     * @param allowsConnect whether CONNECT is passed to the handlers; otherwise it is answered with 405. A handler that
     *     answers every request with 200 would open a tunnel
     * @param pages creates the responses; null (the default) sends a line of text. That line is also sent if it throws
     *     or returns null. The status, {@code Connection} and {@code Content-Length} of its responses are set here.
     */
    public HttpErrorResponder(boolean allowsConnect, ErrorPage pages) {
        this.allowsConnect = allowsConnect;
        this.pages = pages;
    }

    private void remember(ChannelHandlerContext place) {
        if (ctx == null) {
            ctx = place;
        }
    }

    // ---- failures ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        remember(ctx);
        if (e instanceof MessageEvent message) {
            if (message.getMessage() instanceof HttpRequest request) {
                check(request);
            }
            if (state.get() == State.WATCHING) {
                ctx.sendUpstream(e);
            }
        } else if (e instanceof ExceptionEvent event
                && event.getCause() instanceof HttpFailure failure
                && !links.of(ctx).isUpgraded()) {
            refuse(failure.suggestedStatus(), reasonOf(failure), event.getCause());
        } else {
            ctx.sendUpstream(e);
        }
    }

    private void check(HttpRequest request) {
        if (isCodedOtherwise(request)) {
            refuse(
                    HttpResponseStatus.NOT_IMPLEMENTED,
                    CloseReason.of(CloseReason.Kind.PROTOCOL, "content in an unknown transfer coding"),
                    null);
        } else if (!allowsConnect && HttpMethod.CONNECT.equals(request.getMethod())) {
            refuse(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    CloseReason.of(CloseReason.Kind.PROTOCOL, "CONNECT to a server that is not a proxy"),
                    null);
        }
    }

    private static CloseReason reasonOf(HttpFailure failure) {
        CloseReason.Kind kind =
                failure instanceof HttpTimeoutException ? CloseReason.Kind.TIMED_OUT : CloseReason.Kind.PROTOCOL;
        return failure instanceof Throwable cause
                ? CloseReason.of(kind, null, cause)
                : CloseReason.of(kind, failure.getMessage());
    }

    /** RFC 9112 6.1: whether a coding other than chunked has not been decoded. */
    private static boolean isCodedOtherwise(HttpRequest request) {
        String coding = request.headers().get(Names.TRANSFER_ENCODING);
        return coding != null && !coding.strip().equalsIgnoreCase(Values.CHUNKED);
    }

    /**
     * Answers the request that waits for its response. Closes the connection instead if that response has begun, if
     * several requests wait, or if the connection no longer speaks HTTP. Does nothing if another failure came first.
     * Any thread may call this.
     *
     * @param status a 4xx or 5xx status
     * @throws IllegalStateException if nothing was received yet
     */
    public void answer(HttpResponseStatus status) {
        answer(status, null);
    }

    /**
     * Answers like {@link #answer(HttpResponseStatus)}, for a known failure.
     *
     * @param cause for the error page; null if not known
     */
    void answer(HttpResponseStatus status, Throwable cause) {
        if (status.getCode() < 400 || status.getCode() > 599) {
            throw new IllegalArgumentException("status not in 400..599: " + status);
        }
        if (ctx == null) {
            throw new IllegalStateException("no request to answer was received yet");
        }
        Exchanges exchanges = links.of(ctx);
        if (exchanges.unanswered() > 1 && !exchanges.isUpgraded()) {
            giveUp(reasonOf(status)); // it isn't known which one has failed
        } else {
            refuse(status, reasonOf(status), cause);
        }
    }

    /** The reason for a failure found by the application, which may or may not be the client's fault. */
    private static CloseReason reasonOf(HttpResponseStatus status) {
        CloseReason.Kind kind = status.getCode() < 500 ? CloseReason.Kind.PROTOCOL : CloseReason.Kind.LOCAL;
        return CloseReason.of(
                status.getCode() == 408 ? CloseReason.Kind.TIMED_OUT : kind, "the request was answered " + status);
    }

    private void refuse(HttpResponseStatus suggested, CloseReason reason, Throwable why) {
        Exchanges exchanges = links.of(ctx);
        if (exchanges.isUpgraded()) {
            channel().close(reason); // from the top, since a handler of the other protocol may have to announce the end
            return;
        }
        synchronized (state) { // the first of two failures sets status and exchange
            if (state.get() != State.WATCHING) {
                return;
            }
            status = suggested;
            cause = why;
            failed = exchanges.newest();
            state.set(State.WAITING);
        }
        Channels.noteCloseReason(channel(), reason);
        answerIfDue(exchanges);
    }

    private void giveUp(CloseReason reason) {
        if (state.getAndSet(State.ENDED) != State.ENDED) {
            Channels.noteCloseReason(channel(), reason);
            disconnect();
        }
    }

    // ---- the response ----

    /** Waits until the exchange is the current one. Any thread may call this. */
    private void answerIfDue(Exchanges exchanges) {
        Exchange target = failed;
        boolean isDue = target == null || target.isDone() || target == exchanges.current();
        if (!isDue || !state.compareAndSet(State.WAITING, State.ENDED)) {
            return;
        }
        if (target == null || target.isAwaited()) {
            send();
        } else if (target.hasBegun()) {
            disconnect();
        } else { // it was already answered when it failed
            Channels.close(ctx, Channels.future(channel()));
        }
    }

    private void send() {
        ChannelFuture sent = Channels.future(channel());
        sent.addListener(ChannelFutureListener.CLOSE); // even if a handler's own response was faster
        Channels.write(ctx, sent, answer());
    }

    private HttpResponse answer() {
        HttpResponse response = page();
        response.setStatus(status);
        response.headers().set(Names.CONNECTION, Values.CLOSE);
        if (status.getCode() == HttpResponseStatus.METHOD_NOT_ALLOWED.getCode()
                && !response.headers().contains(Names.ALLOW)) {
            response.headers().set(Names.ALLOW, ""); // RFC 9110 10.2.1: empty, since this target allows no method
        }
        HttpHeaders.setContentLength(response, response.getContent().readableBytes());
        return response;
    }

    private HttpResponse page() {
        Exchange target = failed;
        try {
            HttpResponse page =
                    pages == null ? null : pages.page(target == null ? null : target.getRequest(), status, cause);
            if (page != null && !page.isChunked()) {
                return page;
            }
        } catch (Throwable e) { // user code may throw anything
            logger.warn("could not create the error page for " + status + ", sending a line of text instead", e);
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(status + "\n", StandardCharsets.ISO_8859_1));
        response.headers().set(Names.CONTENT_TYPE, "text/plain");
        return response;
    }

    /** Closes without stages: the client must notice that the response is incomplete. */
    private void disconnect() {
        Channels.disconnect(ctx, Channels.future(channel()));
    }

    private Channel channel() {
        return ctx.getChannel();
    }

    // ---- writes of other handlers ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        remember(ctx);
        Exchanges exchanges;
        if (!(e instanceof MessageEvent written) || (exchanges = links.of(ctx)).isUpgraded()) {
            ctx.sendDownstream(e);
            return;
        }
        if (state.get() == State.ENDED && written.getMessage() != OutputShutdown.INSTANCE) {
            UnsentMessage.fail(written, UnsentMessage.causeOfClosed(e.getChannel()));
            return;
        }
        try {
            ctx.sendDownstream(e);
        } finally {
            if (state.get() == State.WAITING) {
                answerIfDue(exchanges);
            }
        }
    }
}
