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
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.handler.codec.http.internal.HttpDates;
import org.freshet.handler.codec.http.server.internal.CompletesHeads;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.handler.UnsentMessage;

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
 * <p>A response that is neither chunked nor has a {@code Content-Length} gets that of its content, and a final one without {@code Date}
 * gets that unless told otherwise.
 *
 * <p>Put it directly behind an {@link HttpServerCodec}, or first into the pipeline of an HTTP/2 stream, where "connection" means
 * the stream. For one of either. Responses are written one after the other, by any thread.
 */
@SuppressWarnings("exports") // CompletesHeads is between Freshet's packages
public final class HttpKeepAliveHandler extends SimpleChannelHandler implements CompletesHeads {
    private enum Closing {
        NO,
        /** The head of the last answer was written. */
        AFTER_ANSWER,
        /** The last answer was written. */
        REQUESTED
    }

    private final ExchangesLink links = new ExchangesLink();
    private volatile Closing closing = Closing.NO;

    /** Null until the channel is drained. */
    private volatile DrainedWork drained;

    /** Whether final responses without {@code Date} get one. */
    private final boolean addsDate;

    /** Adds {@code Date} to final responses that don't have it. */
    public HttpKeepAliveHandler() {
        this(true);
    }

    /** @param addsDate whether final responses without {@code Date} get one (RFC 9110 6.6.1) */
    public HttpKeepAliveHandler(boolean addsDate) {
        this.addsDate = addsDate;
    }

    // ---- requests ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof DrainEvent drain) {
            drained = new DrainedWork(ctx, drain, "requests that are not answered", () -> isAnswering(ctx));
            updateDrain();
        }
        Object message = e instanceof MessageEvent received ? received.getMessage() : null;
        if (message instanceof HttpRequest) {
            updateDrain();
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
        Exchanges exchanges = links.of(ctx);
        return closing != Closing.REQUESTED && !exchanges.isUpgraded() && exchanges.current() != null;
    }

    /** The content of the request that is being answered may still be wanted. */
    private boolean isDropped(Object message) {
        return message != null && closing == Closing.REQUESTED
                || closing == Closing.AFTER_ANSWER && message instanceof HttpRequest;
    }

    // ---- responses ----

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        Exchanges exchanges;
        if (!(e instanceof MessageEvent written) || (exchanges = links.of(ctx)).isUpgraded()) {
            ctx.sendDownstream(e);
            return;
        }
        Object message = written.getMessage();
        if (closing == Closing.REQUESTED && message != OutputShutdown.INSTANCE) {
            UnsentMessage.fail(written, ChannelClosedException.of(e.getChannel()));
            return;
        }
        Exchange exchange = exchanges.current();
        boolean last = closing == Closing.AFTER_ANSWER;
        if (message instanceof HttpResponse response && exchange != null) {
            last = onResponse(response, exchange, exchanges);
        }
        if (drained != null) { // the client may close as soon as it has the answer
            e.getFuture().addListener(sent -> updateDrain());
        }
        if (last && exchange != null) {
            closing = Closing.AFTER_ANSWER; // before a listener of this message writes the next
        }
        ctx.sendDownstream(e);
        boolean closesNow = last && exchange != null && enterClosing(exchange, exchanges);
        updateDrain(); // the drain may have begun while the answer was encoded
        if (closesNow) {
            e.getFuture().addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Returns whether the last answer ended with what was just passed on. */
    private boolean enterClosing(Exchange exchange, Exchanges exchanges) {
        if (exchange.isAwaited() || exchanges.isUpgraded()) {
            closing = Closing.NO; // it could not be encoded, so another may follow
            return false;
        }
        boolean ends = exchange.isOver() && closing != Closing.REQUESTED;
        if (ends) {
            closing = Closing.REQUESTED;
        }
        return ends;
    }

    /** Makes the head say what happens; returns whether it is that of the last answer. */
    private boolean onResponse(HttpResponse response, Exchange exchange, Exchanges exchanges) {
        int code = response.getStatus().getCode();
        if (code < 200) {
            return false;
        }
        frame(response, code, exchange);
        if (addsDate && !response.headers().contains(Names.DATE)) {
            response.headers().set(Names.DATE, HttpDates.format(System.currentTimeMillis()));
        }
        boolean kept = isKept(response, code, exchange, exchanges);
        if (!kept) {
            response.headers().set(Names.CONNECTION, Values.CLOSE);
        } else if (exchange.isOfVersion10()) {
            response.headers().set(Names.CONNECTION, Values.KEEP_ALIVE);
        }
        return !kept;
    }

    private static void frame(HttpResponse response, int code, Exchange exchange) {
        if (response.isChunked()
                || code == 204
                || code == 205
                || code == 304
                || HttpHeaders.isContentLengthSet(response)
                || HttpHeaders.isTransferEncodingChunked(response)) {
            return;
        }
        int length = response.getContent().readableBytes();
        if (length > 0 || !exchange.isHead()) {
            HttpHeaders.setContentLength(response, length);
        }
    }

    private boolean isKept(HttpResponse response, int code, Exchange exchange, Exchanges exchanges) {
        if (!exchange.isKeptAlive() || saysClose(response)) {
            return false;
        }
        boolean isNewest = exchange == exchanges.newest() && !exchanges.isHoldingMore();
        boolean mayMissContent = exchange.isContinueOwed() || code >= 400 && exchange.isReceivingContent();
        if (isNewest && (drained != null || mayMissContent)) {
            return false;
        }
        return !response.isChunked() || !exchange.isOfVersion10() || HttpHeaders.isContentLengthSet(response);
    }

    private static boolean saysClose(HttpResponse response) {
        return response.headers().contains(Names.CONNECTION)
                && HeaderSyntax.hasToken(response.headers().getAll(Names.CONNECTION), Values.CLOSE);
    }
}
