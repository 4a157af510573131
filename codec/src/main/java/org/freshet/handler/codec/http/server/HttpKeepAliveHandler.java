package org.freshet.handler.codec.http.server;

import java.nio.channels.ClosedChannelException;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
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
import org.freshet.internal.ActsOn;
import org.freshet.internal.handler.DrainedWork;
import org.freshet.internal.handler.UnsentMessage;

/**
 * Keeps connections open between requests or closes them, so that handlers needn't care. They just write responses, and
 * set {@code Connection: close} in one that should be the last.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("keepAlive", new HttpKeepAliveHandler());
 * }</pre>
 *
 * <p>A response is the connection's last if the client asked for that (in the request as the codec read it), if the
 * response says so, if the end of the connection ends it, if it is a 4xx or 5xx and part of the request's content has
 * not arrived, or if the client waits for {@code 100 Continue} and gets this response instead. Such a response says
 * {@code Connection: close}, and the channel is closed after its last byte. Later writes fail with
 * {@link ClosedChannelException}, and further requests are dropped. Any other response to an HTTP/1.0 client says
 * {@code Connection: keep-alive}.
 *
 * <p>When the server is {@linkplain DrainEvent drained}, the next response is the last, unless another request has
 * already arrived. A connection without a request is closed if none arrives during the drain's quiet time.
 *
 * <p>A response that is not chunked and has no {@code Content-Length} gets the length of its content. A final response
 * without {@code Date} gets one, unless this is disabled.
 *
 * <p>Put it right after an {@link HttpServerCodec}, or first into the pipeline of an HTTP/2 stream, where "connection"
 * means the stream. Use one instance per connection or stream. Any thread may write responses, one after the other.
 */
@SuppressWarnings("exports") // CompletesHeads is shared by Freshet's packages only
@ActsOn({})
public final class HttpKeepAliveHandler extends SimpleChannelHandler
        implements CompletesHeads, LifeCycleAwareChannelHandler {
    private enum Closing {
        NO,
        /** The head of the last response was written. */
        AFTER_ANSWER,
        /** The last response was written. */
        REQUESTED
    }

    private final ExchangesLink links = new ExchangesLink();
    private volatile Closing closing = Closing.NO;

    /** Null until draining begins. */
    private volatile DrainedWork drained;

    private volatile boolean isRemoved;

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
            drained = new DrainedWork(ctx, drain, "unanswered requests", () -> isAnswering(ctx));
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
        Exchanges exchanges = isRemoved ? null : links.existing(ctx);
        return exchanges != null
                && closing != Closing.REQUESTED
                && !exchanges.isUpgraded()
                && exchanges.current() != null;
    }

    /** Content of the request being answered may still be wanted. */
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
            UnsentMessage.fail(written, UnsentMessage.causeOfClosed(e.getChannel()));
            return;
        }
        Exchange exchange = exchanges.current();
        boolean last = closing == Closing.AFTER_ANSWER;
        if (message instanceof HttpResponse response && exchange != null) {
            last = onResponse(response, exchange, exchanges);
        }
        if (drained != null) { // the client may close as soon as it has the response
            e.getFuture().addListener(sent -> updateDrain());
        }
        if (last && exchange != null) {
            closing = Closing.AFTER_ANSWER; // before a listener of this message writes the next
        }
        ctx.sendDownstream(e);
        boolean closesNow = last && exchange != null && enterClosing(exchange, exchanges);
        updateDrain(); // draining may have begun while the response was encoded
        if (closesNow) {
            e.getFuture().addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Returns whether the last response ended with the message just passed on. */
    private boolean enterClosing(Exchange exchange, Exchanges exchanges) {
        if (exchange.isAwaited() || exchanges.isUpgraded()) {
            closing = Closing.NO; // the response could not be encoded, so another may follow
            return false;
        }
        boolean ends = exchange.isDone() && closing != Closing.REQUESTED;
        if (ends) {
            closing = Closing.REQUESTED;
        }
        return ends;
    }

    /** Sets the head to match what will happen. Returns whether it is the head of the last response. */
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
        } else if (exchange.isHttp10()) {
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
        boolean isNewest = exchange == exchanges.newest() && !exchanges.hasUndecodedInput();
        boolean mayMissContent = exchange.isAwaitingContinue() || code >= 400 && exchange.isReceivingContent();
        if (isNewest && (drained != null || mayMissContent)) {
            return false;
        }
        return !response.isChunked() || !exchange.isHttp10() || HttpHeaders.isContentLengthSet(response);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) {
        isRemoved = false;
    }

    /** Nothing tells this handler about answers any more, so it can't hold a drain until the last one: those due may be lost. */
    @Override
    public void afterRemove(ChannelHandlerContext ctx) {
        DrainedWork exchanges = drained;
        boolean mayLose = exchanges != null && isAnswering(ctx);
        isRemoved = true;
        if (mayLose) {
            drained = exchanges.abandonCurrent();
        } else {
            updateDrain();
        }
    }

    private static boolean saysClose(HttpResponse response) {
        return response.headers().contains(Names.CONNECTION)
                && HeaderSyntax.hasToken(response.headers().getAll(Names.CONNECTION), Values.CLOSE);
    }
}
