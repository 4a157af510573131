package org.freshet.handler.codec.http.server;

import java.util.Objects;
import java.util.function.Function;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.Exchange;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpExpectation;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.MalformedHttpMessageException;
import org.freshet.handler.codec.http.server.internal.ExchangesLink;
import org.freshet.internal.ActsOn;

/**
 * Decides whether a client that waits for {@code 100 Continue} may send its content. If it may, it gets a 100 once
 * earlier requests have been answered, and {@code Expect} is removed from its request. If not, or if it expects
 * something unknown (417), this handler drops the request and throws an
 * {@link org.freshet.handler.codec.http.HttpFailure}, which {@link HttpErrorResponder} answers with a final response.
 *
 * <pre>{@code
 * pipeline.addLast("continue", new HttpContinueHandler(request -> request.headers().contains("Authorization")
 *         ? HttpResponseStatus.CONTINUE
 *         : HttpResponseStatus.UNAUTHORIZED));
 * }</pre>
 *
 * <p>Expectation and {@code Content-Length} are taken from the request as the codec read it.
 *
 * <p>Put it after an {@link HttpServerCodec} or into the pipeline of an HTTP/2 stream, before any handler that reads
 * content. Use one instance per connection or stream.
 */
@ActsOn({})
public final class HttpContinueHandler extends SimpleChannelHandler {
    private final ExchangesLink links = new ExchangesLink();
    private final Function<HttpRequest, HttpResponseStatus> decision;
    private final long maxContentLength;

    /** The exchange whose client waits until earlier requests have been answered; null if no client waits. */
    private volatile Exchange deferred;

    /** Content of a refused request is still arriving. I/O thread only. */
    private boolean isDropping;

    /** Lets every client continue. */
    public HttpContinueHandler() {
        this(Long.MAX_VALUE);
    }

    /**
     * Lets clients continue unless their content is too long. That is answered with 413, even if the client doesn't
     * wait.
     *
     * @param maxContentLength in bytes; 0 or more
     */
    public HttpContinueHandler(long maxContentLength) {
        this(maxContentLength, request -> HttpResponseStatus.CONTINUE);
    }

    /**
     * Lets a function decide.
     *
     * @param decision called for each request that waits; returns {@code CONTINUE}, or a final status from 400 to 599
     */
    public HttpContinueHandler(Function<HttpRequest, HttpResponseStatus> decision) {
        this(Long.MAX_VALUE, decision);
    }

    /** Combines both: content that is too long is refused before {@code decision} is called. */
    public HttpContinueHandler(long maxContentLength, Function<HttpRequest, HttpResponseStatus> decision) {
        if (maxContentLength < 0) {
            throw new IllegalArgumentException("maxContentLength < 0: " + maxContentLength);
        }
        this.maxContentLength = maxContentLength;
        this.decision = Objects.requireNonNull(decision, "decision");
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent received) {
            Object message = received.getMessage();
            if (message instanceof HttpRequest request) {
                isDropping = true; // in case the request is refused
                check(ctx, request);
                isDropping = false;
            } else if (isDropping) {
                return;
            }
        }
        ctx.sendUpstream(e);
    }

    private void check(ChannelHandlerContext ctx, HttpRequest request) throws MalformedHttpMessageException {
        Exchanges exchanges = links.of(ctx);
        Exchange exchange = exchanges.of(request);
        if (exchange == null || exchanges.isUpgraded()) {
            return;
        }
        HttpExpectation expectation = exchange.getExpectation();
        if (expectation == HttpExpectation.UNKNOWN) {
            throw refusal("an expectation that is not 100-continue", HttpResponseStatus.EXPECTATION_FAILED);
        }
        if (exchange.getContentLength() > maxContentLength) {
            throw refusal(
                    "Content-Length > " + maxContentLength + ": " + exchange.getContentLength(),
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
        }
        if (expectation == HttpExpectation.CONTINUE) {
            decide(ctx, request, exchange, exchanges);
        }
    }

    private void decide(ChannelHandlerContext ctx, HttpRequest request, Exchange exchange, Exchanges exchanges)
            throws MalformedHttpMessageException {
        HttpResponseStatus status = decision.apply(request);
        if (status.getCode() != HttpResponseStatus.CONTINUE.getCode()) {
            throw refusal("the client must not send its content", status);
        }
        request.headers().remove(Names.EXPECT);
        deferred = exchange;
        continueIfDue(ctx, exchanges);
    }

    private static MalformedHttpMessageException refusal(String why, HttpResponseStatus status) {
        return new MalformedHttpMessageException(why, status);
    }

    /** Waits for the responses to earlier requests, or the client could take the 100 for one of them. */
    private void continueIfDue(ChannelHandlerContext ctx, Exchanges exchanges) {
        Exchange waiting = deferred;
        if (waiting != null && (waiting == exchanges.current() || waiting.isDone())) {
            deferred = null;
            if (waiting.isAwaitingContinue()) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE);
                Channels.write(ctx, Channels.future(ctx.getChannel()), response);
            }
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        ctx.sendDownstream(e);
        if (deferred != null && e instanceof MessageEvent) {
            continueIfDue(ctx, links.of(ctx));
        }
    }
}
