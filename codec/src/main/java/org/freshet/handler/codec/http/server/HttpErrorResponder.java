package org.freshet.handler.codec.http.server;

import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
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
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpServerExchanges;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * Answers requests that were refused, with the status that the {@link HttpFailure} suggests, and closes the connection: 400 to
 * what is malformed, 408 to what takes too long, 413, 414, 417, 431, 501, 505. The channel's {@link CloseReason} is {@code PROTOCOL} then, or
 * {@code TIMED_OUT}. Content in a transfer coding other than chunks, which no
 * handler before has undone, is answered 501.
 *
 * <pre>{@code
 * pipeline.addLast("stages", new StagedCloseHandler(timer));
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
 * <p>Put it behind an {@link HttpServerCodec}, before the handlers that answer, and a {@link StagedCloseHandler} before the codec
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

    private final ExchangesLink links = new ExchangesLink();
    private final AnswerProgress progress = new AnswerProgress();
    private final Object lock = new Object();

    /** Changed under the lock. */
    private volatile State state = State.WATCHING;

    /**
     * A message is on its way to the codec, which does not count it yet. Set before the writer looks at the state; the thread of a
     * failure changes the state before it looks at this, so that one of them sees the other.
     */
    private volatile boolean passing;

    /** Under the lock. */
    private HttpResponseStatus status;

    /** Whether the request that failed is one that the codec counts; else its head was refused. Under the lock. */
    private boolean isCounted;

    private volatile ChannelHandlerContext ctx;

    public HttpErrorResponder() {}

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
            if (message.getMessage() instanceof HttpRequest request && isCodedOtherwise(request)) {
                refuse(
                        HttpResponseStatus.NOT_IMPLEMENTED,
                        false,
                        CloseReason.of(CloseReason.Kind.PROTOCOL, "content in a transfer coding that is not known"));
            }
            if (state == State.WATCHING) {
                ctx.sendUpstream(e);
            }
        } else if (e instanceof ExceptionEvent event
                && event.getCause() instanceof HttpFailure failure
                && links.of(ctx) != null) {
            refuse(failure.suggestedStatus(), failure instanceof HttpTimeoutException, reasonOf(failure));
        } else {
            ctx.sendUpstream(e);
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
     * Answers the request that was received last, or gives the connection up if its answer has begun; does nothing if another
     * failure came first. A connection that does not speak HTTP any more is closed. Any thread.
     *
     * @param status of the 4xx or 5xx class
     * @throws IllegalStateException if nothing was received yet
     */
    public void answer(HttpResponseStatus status) {
        if (status.getCode() < 400 || status.getCode() > 599) {
            throw new IllegalArgumentException("status not in 400..599: " + status);
        }
        if (ctx == null) {
            throw new IllegalStateException("nothing was received that could be answered");
        }
        refuse(status, false, reasonOf(status));
    }

    /** Of what the application has found: a client's fault, or not. */
    private static CloseReason reasonOf(HttpResponseStatus status) {
        CloseReason.Kind kind = status.getCode() < 500 ? CloseReason.Kind.PROTOCOL : CloseReason.Kind.LOCAL;
        return CloseReason.of(
                status.getCode() == 408 ? CloseReason.Kind.TIMED_OUT : kind, "the request was answered " + status);
    }

    private void refuse(HttpResponseStatus suggested, boolean isLate, CloseReason reason) {
        HttpServerExchanges exchanges = links.of(ctx);
        if (exchanges == null) {
            channel().close(reason); // from the top, for a handler of the other protocol may have to say that it ends
            return;
        }
        synchronized (lock) {
            if (state != State.WATCHING) {
                return;
            }
            state = State.WAITING;
            status = suggested;
            isCounted = exchanges.isReceivingContent() || !exchanges.hasRefused() && !isLate;
        }
        Channels.noteCloseReason(channel(), reason);
        answerIfDue(exchanges);
    }

    // ---- the answer ----

    private enum Step {
        WAIT,
        ANSWER,
        GIVE_UP,
        CLOSE
    }

    private void answerIfDue(HttpServerExchanges exchanges) {
        Step step;
        synchronized (lock) {
            if (state != State.WAITING || passing) {
                return; // whoever passes a message on looks again afterwards
            }
            step = nextStep(exchanges);
            if (step == Step.WAIT) {
                return;
            }
            state = State.ENDED;
        }
        switch (step) {
            case ANSWER -> send();
            case GIVE_UP -> giveUp();
            default -> Channels.close(ctx, Channels.future(channel()));
        }
    }

    private Step nextStep(HttpServerExchanges exchanges) {
        int unanswered = exchanges.unansweredRequests() + (progress.isWithinBytes() ? 1 : 0);
        if (unanswered > (isCounted ? 1 : 0)) {
            return Step.WAIT;
        }
        if (!isCounted) {
            return Step.ANSWER;
        }
        if (unanswered == 0) {
            return Step.CLOSE; // it was answered before it failed
        }
        return progress.isWithin() ? Step.GIVE_UP : Step.ANSWER;
    }

    private void send() {
        ChannelFuture sent = Channels.future(channel());
        sent.addListener(ChannelFutureListener.CLOSE);
        Channels.write(ctx, sent, answerOf(status));
    }

    private static HttpResponse answerOf(HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(status + "\n", StandardCharsets.ISO_8859_1));
        response.headers().set(Names.CONTENT_TYPE, (Object) "text/plain");
        response.headers().set(Names.CONNECTION, (Object) Values.CLOSE);
        HttpHeaders.setContentLength(response, response.getContent().readableBytes());
        return response;
    }

    /** Without stages: the client is to see that the answer is cut short. */
    private void giveUp() {
        Channels.disconnect(ctx, Channels.future(channel()));
    }

    private Channel channel() {
        return ctx.getChannel();
    }

    // ---- what others write ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        remember(ctx);
        HttpServerExchanges exchanges;
        if (!(e instanceof MessageEvent written) || (exchanges = links.of(ctx)) == null) {
            ctx.sendDownstream(e);
            return;
        }
        passing = true;
        if (state != State.WATCHING && isRefused(written.getMessage())) {
            passing = false;
            e.getFuture().setFailure(ChannelClosedException.of(e.getChannel()));
            return;
        }
        progress.onWrite(written.getMessage(), exchanges);
        try {
            ctx.sendDownstream(e);
        } finally {
            passing = false;
            if (state == State.WAITING) {
                answerIfDue(exchanges);
            }
        }
    }

    private boolean isRefused(Object message) {
        synchronized (lock) {
            return state == State.ENDED && message != OutputShutdown.INSTANCE;
        }
    }
}
