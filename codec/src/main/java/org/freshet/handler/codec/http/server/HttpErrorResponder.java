package org.freshet.handler.codec.http.server;

import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
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
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Answers requests that were refused, with the status that the {@link HttpFailure} suggests, and closes the connection: 400 to
 * what is malformed, 408 to what takes too long, 413, 414, 417, 431, 501, 505. The channel's {@link CloseReason} is {@code PROTOCOL} then, or
 * {@code TIMED_OUT}. Content in a transfer coding other than chunks, which no
 * handler before has undone, is answered 501.
 *
 * <pre>{@code
 * pipeline.addLast("stages", new LingeringCloseHandler(timer));
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("errors", new HttpErrorResponder());
 * }</pre>
 *
 * <p>The answer waits for those of the requests before. No request is answered twice: if handlers have begun to answer the one
 * that is refused now, the connection is closed instead; once the refusal is sent, what handlers write fails with {@link
 * ClosedChannelException}. From the failure on, nothing that the client sends is passed on.
 *
 * <p>A failure that is not an {@code HttpFailure} goes up the pipeline as it came; whoever handles it may {@link #answer}.
 *
 * <p>Put it behind an {@link HttpServerCodec}, before the handlers that answer, and a {@link LingeringCloseHandler} before the codec
 * so that a client which is still sending reads the answer; or first into the pipeline of an HTTP/2 stream. For one connection or
 * stream. Any thread may write.
 */
public final class HttpErrorResponder extends SimpleChannelHandler {
    private enum State {
        WATCHING,
        /** Requests before the one that failed are not answered. */
        WAITING,
        /** The answer was sent, or the connection was given up. */
        ENDED
    }

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HttpErrorResponder.class);

    private final ExchangesLink links = new ExchangesLink();
    private final AtomicReference<State> state = new AtomicReference<>(State.WATCHING);

    /** Set before the state is WAITING. */
    private volatile HttpResponseStatus status;

    /** Why; null if it isn't known. Set before the state is WAITING. */
    private volatile Throwable cause;

    /** The exchange that failed; null if there was none. Set before the state is WAITING. */
    private volatile Exchange failed;

    private volatile ChannelHandlerContext ctx;

    private final boolean allowsConnect;
    private final ErrorPage pages;

    /** With a line of text as the content. CONNECT is answered 405. */
    public HttpErrorResponder() {
        this(false, null);
    }

    /**
     * @param allowsConnect whether handlers get CONNECT, which is answered 405 otherwise: a handler that answers 200 to everything would open
     *     a tunnel
     * @param pages makes the answers; null stands for a line of text. If it throws or returns null, that line is sent. The status,
     *     {@code Connection} and {@code Content-Length} of what it returns are set here.
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
                    CloseReason.of(CloseReason.Kind.PROTOCOL, "content in a transfer coding that is not known"),
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

    /** RFC 9112 6.1: a coding below chunks that nobody has undone. */
    private static boolean isCodedOtherwise(HttpRequest request) {
        String coding = request.headers().get(Names.TRANSFER_ENCODING);
        return coding != null && !coding.strip().equalsIgnoreCase(Values.CHUNKED);
    }

    /**
     * Answers the request that waits for its answer, or gives the connection up if its answer has begun or several wait; does nothing if
     * another failure came first. A connection that does not speak HTTP any more is closed. Any thread.
     *
     * @param status of the 4xx or 5xx class
     * @throws IllegalStateException if nothing was received yet
     */
    public void answer(HttpResponseStatus status) {
        answer(status, null);
    }

    /**
     * Does what {@link #answer(HttpResponseStatus)} does, for a known failure.
     *
     * @param cause for the error page; null if it isn't known
     */
    void answer(HttpResponseStatus status, Throwable cause) {
        if (status.getCode() < 400 || status.getCode() > 599) {
            throw new IllegalArgumentException("status not in 400..599: " + status);
        }
        if (ctx == null) {
            throw new IllegalStateException("nothing was received that could be answered");
        }
        Exchanges exchanges = links.of(ctx);
        if (exchanges.unanswered() > 1 && !exchanges.isUpgraded()) {
            giveUp(reasonOf(status)); // which of them has failed is not known
        } else {
            refuse(status, reasonOf(status), cause);
        }
    }

    /** Of what the application has found: a client's fault, or not. */
    private static CloseReason reasonOf(HttpResponseStatus status) {
        CloseReason.Kind kind = status.getCode() < 500 ? CloseReason.Kind.PROTOCOL : CloseReason.Kind.LOCAL;
        return CloseReason.of(
                status.getCode() == 408 ? CloseReason.Kind.TIMED_OUT : kind, "the request was answered " + status);
    }

    private void refuse(HttpResponseStatus suggested, CloseReason reason, Throwable why) {
        Exchanges exchanges = links.of(ctx);
        if (exchanges.isUpgraded()) {
            channel().close(reason); // from the top, for a handler of the other protocol may have to say that it ends
            return;
        }
        synchronized (state) { // of two failures, the first one's status and exchange
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

    // ---- the answer ----

    /** Not before the exchange is the current one. Any thread. */
    private void answerIfDue(Exchanges exchanges) {
        Exchange target = failed;
        boolean isDue = target == null || target.isOver() || target == exchanges.current();
        if (!isDue || !state.compareAndSet(State.WAITING, State.ENDED)) {
            return;
        }
        if (target == null || target.isAwaited()) {
            send();
        } else if (target.isBegun()) {
            disconnect();
        } else { // it was answered before it failed
            Channels.close(ctx, Channels.future(channel()));
        }
    }

    private void send() {
        ChannelFuture sent = Channels.future(channel());
        sent.addListener(ChannelFutureListener.CLOSE); // also if a handler's own answer was faster
        Channels.write(ctx, sent, answer());
    }

    private HttpResponse answer() {
        HttpResponse response = page();
        response.setStatus(status);
        response.headers().set(Names.CONNECTION, Values.CLOSE);
        if (status.getCode() == HttpResponseStatus.METHOD_NOT_ALLOWED.getCode()
                && !response.headers().contains(Names.ALLOW)) {
            response.headers().set(Names.ALLOW, ""); // RFC 9110 10.2.1: none, for this target
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
        } catch (Throwable e) { // pages may throw anything
            logger.warn("the error page for " + status + " could not be made", e);
        }
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(status + "\n", StandardCharsets.ISO_8859_1));
        response.headers().set(Names.CONTENT_TYPE, "text/plain");
        return response;
    }

    /** Without stages: the client is to see that the answer is cut short. */
    private void disconnect() {
        Channels.disconnect(ctx, Channels.future(channel()));
    }

    private Channel channel() {
        return ctx.getChannel();
    }

    // ---- what others write ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        remember(ctx);
        Exchanges exchanges;
        if (!(e instanceof MessageEvent written) || (exchanges = links.of(ctx)).isUpgraded()) {
            ctx.sendDownstream(e);
            return;
        }
        if (state.get() == State.ENDED && written.getMessage() != OutputShutdown.INSTANCE) {
            UnsentMessage.fail(written, ChannelClosedException.of(e.getChannel()));
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
