package org.freshet.handler.codec.http.server;

import java.nio.channels.ClosedChannelException;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpServerExchanges;
import org.freshet.internal.handler.DrainedWork;

/**
 * Keeps connections open between requests, or closes them, so that handlers need not think of it: they write responses, and
 * {@code Connection: close} into one that is to be the last.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("keepAlive", new HttpKeepAliveHandler());
 * }</pre>
 *
 * <p>A response is the connection's last if the client asked for that (as the codec read its request), if the response says so,
 * if its end is the end of the connection, if it is a 4xx or 5xx and a part of the request's content has not come, or if the
 * client waits for {@code 100 Continue} and got this instead. It says {@code Connection: close}, and behind its last byte the
 * channel is closed; what is written later fails with {@link ClosedChannelException}, and further requests are dropped. Any other
 * response to a client of HTTP/1.0 says {@code Connection: keep-alive}.
 *
 * <p>When the server is {@linkplain DrainEvent drained}, the next answer behind which no other request has come is the last. A
 * connection without a request is closed when no other has come for the drain's quiet time.
 *
 * <p>A response that is neither chunked nor has a {@code Content-Length} gets that of its content.
 *
 * <p>Put it directly behind an {@link HttpServerCodec}, or first into the pipeline of an HTTP/2 stream, where "connection" means
 * the stream. For one of either. Responses are written one after the other, by any thread.
 */
public final class HttpKeepAliveHandler extends SimpleChannelHandler {
    private enum Closing {
        NO,
        /** The head of the last answer was written. */
        AFTER_ANSWER,
        /** The last answer was written. */
        REQUESTED
    }

    private final ExchangesLink links = new ExchangesLink();
    private final AnswerProgress progress = new AnswerProgress();

    private volatile Closing closing = Closing.NO;

    /** The client waits for {@code 100 Continue}. */
    private volatile boolean owesContinue;

    /** Null until the channel is drained. */
    private volatile DrainedWork drained;

    public HttpKeepAliveHandler() {}

    // ---- requests ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof DrainEvent drain) {
            drained = new DrainedWork(ctx, drain, "requests that are not answered", () -> isAnswering(ctx));
            updateDrain();
        }
        if (!(e instanceof MessageEvent received)) {
            ctx.sendUpstream(e);
            return;
        }
        Object message = received.getMessage();
        if (message instanceof HttpRequest) {
            HttpServerExchanges exchanges = links.of(ctx);
            if (exchanges != null && exchanges.lastExpectation() == HttpExpectation.CONTINUE) {
                owesContinue = true;
            }
            updateDrain();
        } else if (owesContinue && message instanceof HttpChunk) {
            owesContinue = false; // the client did not wait
        }
        if (!isDropped(message)) {
            ctx.sendUpstream(e);
        }
    }

    private void updateDrain() {
        DrainedWork exchanges = drained;
        if (exchanges != null) {
            exchanges.update();
        }
    }

    private boolean isAnswering(ChannelHandlerContext ctx) {
        HttpServerExchanges exchanges = closing == Closing.REQUESTED ? null : links.of(ctx);
        return exchanges != null && (exchanges.unansweredRequests() > 0 || progress.isWithin());
    }

    /** The content of the request that is being answered may still be wanted. */
    private boolean isDropped(Object message) {
        return closing == Closing.REQUESTED || closing == Closing.AFTER_ANSWER && message instanceof HttpRequest;
    }

    // ---- responses ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        HttpServerExchanges exchanges;
        if (!(e instanceof MessageEvent written) || (exchanges = links.of(ctx)) == null) {
            ctx.sendDownstream(e);
            return;
        }
        Object message = written.getMessage();
        if (closing == Closing.REQUESTED && message != OutputShutdown.INSTANCE) {
            e.getFuture().setFailure(ChannelClosedException.of(e.getChannel()));
            return;
        }
        boolean last = closing == Closing.AFTER_ANSWER;
        if (message instanceof HttpResponse response) {
            last = onResponse(response, exchanges);
        }
        boolean ended = progress.onWrite(message, exchanges);
        if (drained != null) { // the client may close as soon as it has the answer
            e.getFuture().addListener(sent -> updateDrain());
        }
        ctx.sendDownstream(e);
        boolean failed = e.getFuture().getCause() != null; // such as to be encoded: another answer may follow
        boolean closes = last && !failed && !exchanges.isUpgraded();
        if (closes) {
            closing = ended ? Closing.REQUESTED : Closing.AFTER_ANSWER;
        }
        updateDrain(); // the drain may have begun while the answer was encoded
        if (closes && ended) {
            e.getFuture().addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Makes the head say what happens; returns whether it is that of the last answer. */
    private boolean onResponse(HttpResponse response, HttpServerExchanges exchanges) {
        int code = response.getStatus().getCode();
        if (code == HttpResponseStatus.SWITCHING_PROTOCOLS.getCode()) {
            return false;
        }
        if (AnswerProgress.isInterim(code)) {
            owesContinue &= code != HttpResponseStatus.CONTINUE.getCode();
            return false;
        }
        frame(response, code, exchanges);
        boolean kept = isKept(response, code, exchanges);
        if (!kept) {
            response.headers().set(Names.CONNECTION, (Object) Values.CLOSE);
        } else if (exchanges.isNextOfVersion10()) {
            response.headers().set(Names.CONNECTION, (Object) Values.KEEP_ALIVE);
        }
        return !kept;
    }

    private static void frame(HttpResponse response, int code, HttpServerExchanges exchanges) {
        if (response.isChunked()
                || !AnswerProgress.mayHaveContent(code)
                || HttpHeaders.isContentLengthSet(response)
                || HttpHeaders.isTransferEncodingChunked(response)) {
            return;
        }
        int length = response.getContent().readableBytes();
        if (length > 0 || !exchanges.isNextHead()) {
            HttpHeaders.setContentLength(response, length);
        }
    }

    private boolean isKept(HttpResponse response, int code, HttpServerExchanges exchanges) {
        if (!exchanges.isNextKeptAlive() || saysClose(response)) {
            return false;
        }
        if (drained != null && exchanges.unansweredRequests() == 1) {
            return false;
        }
        boolean mayMissContent = owesContinue || code >= 400 && exchanges.isReceivingContent();
        if (mayMissContent && exchanges.unansweredRequests() == 1) {
            return false;
        }
        return !response.isChunked() || !exchanges.isNextOfVersion10() || HttpHeaders.isContentLengthSet(response);
    }

    private static boolean saysClose(HttpResponse response) {
        if (response.headers().get(Names.CONNECTION) == null) {
            return false;
        }
        for (String value : response.headers().getAll(Names.CONNECTION)) {
            for (String token : value.split(",")) {
                if (token.trim().equalsIgnoreCase(Values.CLOSE)) {
                    return true;
                }
            }
        }
        return false;
    }
}
