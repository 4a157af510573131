package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.Borrowers;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The server side of HTTP/1. Combines {@link HttpRequestDecoder} and {@link HttpResponseEncoder}, and creates an
 * {@link Exchange} for each request, so that every response is framed to fit its request.
 *
 * <ul>
 * <li>One request is handled at a time: the next one is decoded when the response to the previous one has been written.
 *     A handler that answers later therefore needn't order its responses. {@link HttpLimits#maxPipelinedRequests()} can
 *     allow more, for handlers that answer in order.
 * <li>While the channel isn't writable, no further request is decoded, so a client that doesn't read its responses gets
 *     no more of them.
 * <li>Responses to HEAD, and 204, 205 and 304, are sent without content, whatever is written after their heads. Interim
 *     responses (1xx) don't count as the response, and aren't sent to an HTTP/1.0 client.
 * <li>What is sent matches the head. A whole message that contradicts its {@code Content-Length} is refused with an
 *     IllegalArgumentException. Content beyond the declared length, missing content, and a second response to one
 *     request fail with an IllegalStateException; if the client would otherwise be misled, the connection is closed.
 * <li>A whole message with content but without {@code Content-Length} gets one. Chunks for an HTTP/1.0 client aren't
 *     framed: the connection is closed after the last one instead.
 * <li>A buffer or file region written between responses counts as a whole response that the application has encoded
 *     itself.
 * <li>After a 101, or a 2xx to CONNECT, bytes pass unchanged in both directions.
 * </ul>
 *
 * <p>You may remove or replace the codec at any time: bytes received but not yet decoded go to the handler that takes
 * its place.
 *
 * <p>Threading: requests are decoded on the channel's I/O thread. Responses, and the content of a response, must be
 * written one after the other, but any thread may write them.
 */
@ChannelHandler.Borrower
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.DISCONNECTED, EventKind.CLOSED})
public class HttpServerCodec extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HttpServerCodec.class);

    /** What happens to the connection when a request asks to leave HTTP. */
    private enum Switch {
        NONE,
        /** The request isn't answered yet. */
        PENDING,
        /** The request was granted: the bytes that follow aren't HTTP. */
        GRANTED
    }

    private final int maxUnanswered;
    private final ServerExchanges exchanges = new ServerExchanges(this);
    private final Decoder decoder;
    private final AnswerEncoder encoder = new AnswerEncoder(this, exchanges);

    private volatile Switch protocolSwitch = Switch.NONE;

    /** The I/O thread has stopped decoding until responses are written and the channel is writable. */
    private volatile boolean paused;

    private volatile boolean removed;

    /** Null until reading must be suspended, or a handler above sets readable or not. */
    private volatile ReadSuspension gate;

    private ChannelHandlerContext ctx;

    /** The end of input, if it arrived while {@link #paused}; null otherwise. I/O thread only. */
    private ChannelEvent inputEnd;

    /** A head was refused, and its exchange has been added. I/O thread only. */
    private boolean refusedHead;

    /** The decoder is handling an event. Events fired meanwhile must not enter it. I/O thread only. */
    private boolean isDecoding;

    private boolean warned;

    /** Uses {@link HttpLimits#defaults()}. */
    public HttpServerCodec() {
        this(HttpLimits.defaults());
    }

    /** Uses {@link HttpLimits#defaults()} except for these three; see there for their meaning. */
    public HttpServerCodec(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        this(LimitSets.defaultsWith(maxInitialLineLength, maxHeaderSize, maxChunkSize));
    }

    public HttpServerCodec(HttpLimits limits) {
        decoder = new Decoder(limits);
        maxUnanswered = limits.maxPipelinedRequests();
    }

    /** The requests of this connection and their responses. Any thread may call this. */
    public final Exchanges exchanges() {
        return exchanges;
    }

    // ---- events ----

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        this.ctx = ctx;
        if (e instanceof MessageEvent received && Borrowers.message(this, received) instanceof ChannelBuffer bytes) {
            exchanges.bytes += bytes.readableBytes();
        } else if (e instanceof ExceptionEvent caught && caught.getCause() instanceof HttpFailure failure) {
            onFailure(failure);
        } else if (paused && e instanceof InputShutdownEvent) {
            inputEnd = e;
            return;
        }
        boolean wasDecoding = isDecoding;
        isDecoding = true;
        try {
            decoder.handleUpstream(ctx, e);
        } finally {
            isDecoding = wasDecoding;
        }
        resume(); // the channel may be writable again, or a handler has answered
    }

    /**
     * A head that was refused, or arrived too late, also has an exchange, so that its error response is sent in order.
     */
    private void onFailure(HttpFailure failure) {
        boolean isLate = decoder.isWithinHead()
                && failure.suggestedStatus().getCode() == HttpResponseStatus.REQUEST_TIMEOUT.getCode();
        if (!refusedHead && !exchanges.isReceivingContent() && (decoder.isFailed() || isLate)) {
            refusedHead = true;
            exchanges.add(Exchange.ofRefusedHead());
        }
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (!(e instanceof MessageEvent written)) {
            if (ReadSuspension.isReadRequest(e)) {
                gate(ctx).request((ChannelStateEvent) e);
            } else {
                encoder.handleDownstream(ctx, e);
            }
            return;
        }
        try {
            if (isUpgraded()) {
                encoder.handleDownstream(ctx, e);
            } else {
                encoder.passPart(ctx, written);
            }
        } finally {
            afterWrite(ctx, written);
        }
    }

    private void afterWrite(ChannelHandlerContext ctx, MessageEvent written) {
        Exchange ended = encoder.takeEnded();
        if (ended != null) {
            onPassed(ended);
        }
        if (encoder.takeLastOfConnection()) {
            written.getFuture().addListener(ChannelFutureListener.CLOSE);
        }
        resumeIfAnswered(ctx);
    }

    /** The last byte of a response was passed on. A handler may hold the response to a later request until now. */
    void onPassed(Exchange exchange) {
        exchanges.onPassed(exchange);
        if (exchanges.current() != null) {
            Channels.fireChannelInterestChangedLater(ctx.getChannel());
        }
    }

    /** The head of a final response has been encoded. */
    void onAnswered(Exchange exchange, boolean endsHttp) {
        if (exchange.mayEndHttp()) {
            protocolSwitch = endsHttp ? Switch.GRANTED : Switch.NONE;
        }
    }

    // ---- pausing and resuming ----

    /** I/O thread only. */
    private boolean mayDecode() {
        if (isOpenForRequests()) {
            return true;
        }
        if (paused) {
            return false;
        }
        paused = true;
        gate(ctx).suspend();
        if (isOpenForRequests()) { // a response may have ended meanwhile without seeing the pause
            paused = false;
            gate.resume();
            return true;
        }
        if (protocolSwitch == Switch.NONE) {
            warnOnce();
        }
        return false;
    }

    private boolean isOpenForRequests() {
        switch (protocolSwitch) {
            case PENDING:
                return false;
            case GRANTED:
                decoder.upgrade();
                return true;
            default:
                return exchanges.unanswered() < maxUnanswered
                        && ctx.getChannel().isWritable();
        }
    }

    private void warnOnce() {
        if (!warned && maxUnanswered > 1 && exchanges.unanswered() >= maxUnanswered) {
            warned = true;
            logger.warn("reading from " + ctx.getChannel() + " is suspended until some of its " + exchanges.unanswered()
                    + " unanswered requests are answered; answer every request");
        }
    }

    /** Any thread. Only called after a response was passed on: a request decoded now may be answered right away. */
    private void resumeIfAnswered(ChannelHandlerContext ctx) {
        if (paused && isWorthResuming()) {
            ctx.getPipeline().execute(this::resume);
        }
    }

    /**
     * Resumes once a quarter of the requests have been answered, not after each response, since resuming may cost a
     * system call.
     */
    private boolean isWorthResuming() {
        return switch (protocolSwitch) {
            case PENDING -> false;
            case GRANTED -> true;
            default -> exchanges.unanswered() <= maxUnanswered - (maxUnanswered + 3) / 4;
        };
    }

    /** I/O thread only. */
    private void resume() {
        if (!paused || isDecoding || !isWorthResuming() || !isOpenForRequests()) {
            return;
        }
        paused = false;
        gate.resume();
        isDecoding = true;
        try {
            decoder.decodeKept(ctx);
            endInput();
        } catch (Exception failure) {
            Channels.fireExceptionCaught(ctx, failure);
        } finally {
            isDecoding = false;
        }
    }

    /** The end of the client's output is passed on after the requests that were decoded late. */
    private void endInput() throws Exception {
        ChannelEvent end = inputEnd;
        if (end != null && !paused) {
            inputEnd = null;
            decoder.handleUpstream(ctx, end);
        }
    }

    private ReadSuspension gate(ChannelHandlerContext ctx) {
        ReadSuspension present = gate;
        if (present == null) {
            synchronized (this) {
                present = gate;
                if (present == null) {
                    present = ReadSuspension.at(ctx);
                    gate = present;
                }
            }
        }
        return present;
    }

    // ---- for the exchanges ----

    /** I/O thread only. */
    final boolean isReceivingHead() {
        return !paused && decoder.isWithinHead();
    }

    /** Any thread may call this: the bytes were kept before decoding paused. */
    final boolean hasUndecodedInput() {
        return paused && protocolSwitch == Switch.NONE;
    }

    final boolean isUpgraded() {
        return protocolSwitch == Switch.GRANTED;
    }

    final boolean isRemoved() {
        return removed;
    }

    // ---- life cycle ----

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        removed = false;
        decoder.beforeAdd(ctx);
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.beforeRemove(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        removed = true;
        decoder.afterRemove(ctx);
        if (paused) {
            paused = false;
            gate.resume();
        }
        ChannelEvent end = inputEnd;
        if (end != null) {
            inputEnd = null;
            ctx.sendUpstream(end);
        }
    }

    /** Decodes requests, and creates an exchange for each. */
    @ChannelHandler.Borrower
    private final class Decoder extends HttpRequestDecoder {
        Decoder(HttpLimits limits) {
            super(limits);
        }

        @Override
        HttpMessage newMessage(String method, String target, String version) {
            return newRequest(method, target, version);
        }

        @Override
        boolean mayStartMessage() {
            return mayDecode();
        }

        @Override
        void onHead(HttpMessage message, HeadFacts facts) {
            HttpRequest request = (HttpRequest) message;
            boolean isVersion11 = request.getProtocolVersion().isAtLeast11();
            int traits = Exchange.traitsOf(request.getMethod());
            if (!isVersion11) {
                traits |= Exchange.HTTP_1_0;
            } else if (facts.upgrade()) {
                traits |= Exchange.UPGRADE;
            }
            if (facts.close() || !isVersion11 && !facts.keepAlive()) {
                traits |= Exchange.LAST;
            }
            Exchange exchange =
                    new Exchange(request, traits, HttpExpectation.of(facts, isVersion11), facts.contentLength);
            if (facts.contentLength > 0 || facts.coding != HeadFacts.Coding.NONE) {
                exchange.onContentExpected();
            }
            if (exchange.mayEndHttp()) {
                protocolSwitch = Switch.PENDING;
            }
            exchanges.requests++;
            exchanges.add(exchange);
        }

        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
                throws Exception {
            Object decoded = super.decode(ctx, channel, buffer, state);
            Exchange newest = exchanges.newest();
            if (newest != null && decoded instanceof HttpChunk) {
                newest.onContentReceived();
            }
            return decoded;
        }

        @Override
        void onMessageEnd() {
            exchanges.newest().onContentEnd();
        }
    }
}
