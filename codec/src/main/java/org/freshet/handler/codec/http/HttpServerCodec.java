package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.internal.handler.Borrowers;
import org.freshet.internal.handler.ReadSuspension;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A server's side of HTTP/1: {@link HttpRequestDecoder} and {@link HttpResponseEncoder} in one, which know of each other.
 *
 * <ul>
 * <li>An answer to HEAD, a 204, a 304 and a 205 are sent without content, whatever the handler gave them; answers before the
 *     final one (1xx) are not counted as the answer, and not sent to a client of HTTP/1.0.
 * <li>Chunks that go to a client of HTTP/1.0 are not framed: the connection is closed behind the last one instead.
 * <li>After a 101, or a 2xx to CONNECT, bytes pass as they are, both ways. Until such a request is answered, what follows it
 *     is not decoded.
 * <li>Requests are decoded ahead of their answers up to {@link HttpLimits#maxPipelinedRequests()}. Then reading is suspended,
 *     and resumed when a quarter of them is answered; nothing is lost. Each request must be answered.
 * </ul>
 *
 * <p>It may be removed or replaced at any time: bytes that were received and not decoded go on to the handler that takes its
 * place.
 *
 * <p>Threading: requests are decoded on the channel's I/O thread. Responses, and the chunks of a response, must be written
 * one after the other; which thread writes makes no difference.
 */
@ChannelHandler.Borrower
public class HttpServerCodec extends SimpleChannelHandler implements HttpServerExchanges, LifeCycleAwareChannelHandler {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(HttpServerCodec.class);

    /** Where a request that may end HTTP stands. */
    private enum Switch {
        NONE,
        /** It is not answered. */
        PENDING,
        /** It was granted: what follows is not HTTP. */
        GRANTED
    }

    private final RequestLedger ledger;
    private final Decoder decoder;
    private final Encoder encoder = new Encoder();

    private volatile Switch protocolSwitch = Switch.NONE;

    /** A request's head was decoded, and its content is not whole. Written by the I/O thread. */
    private volatile boolean receivingContent;

    /** There was a request of HTTP/1.0. Written by the I/O thread; spares others a look into the ledger. */
    private volatile boolean sawVersion10;

    /** The I/O thread stopped decoding until answers are written. */
    private volatile boolean paused;

    /** Null until there is something to suspend, or somebody else asks to read or not to. */
    private volatile ReadSuspension gate;

    private ChannelHandlerContext ctx;
    private long receivedBytes;

    /** Came while {@link #paused}; null otherwise. I/O thread only. */
    private ChannelEvent inputEnd;

    private boolean warned;

    /** With {@link HttpLimits#defaults()}. */
    public HttpServerCodec() {
        this(HttpLimits.defaults());
    }

    /** With {@link HttpLimits#defaults()} but for these three; see there for their meaning. */
    public HttpServerCodec(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        this(HttpLimits.defaultsWith(maxInitialLineLength, maxHeaderSize, maxChunkSize));
    }

    public HttpServerCodec(HttpLimits limits) {
        decoder = new Decoder(limits);
        ledger = new RequestLedger(limits.maxPipelinedRequests());
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        this.ctx = ctx;
        if (e instanceof MessageEvent received && Borrowers.message(this, received) instanceof ChannelBuffer bytes) {
            receivedBytes += bytes.readableBytes();
        }
        if (paused && e instanceof InputShutdownEvent) {
            inputEnd = e;
            return;
        }
        decoder.handleUpstream(ctx, e);
    }

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (!(e instanceof MessageEvent) && ReadSuspension.isReadRequest(e)) {
            gate(ctx).request((ChannelStateEvent) e);
            return;
        }
        encoder.handleDownstream(ctx, e);
        if (e instanceof MessageEvent) {
            if (encoder.takeLastOfConnection()) {
                ((MessageEvent) e).getFuture().addListener(ChannelFutureListener.CLOSE);
            }
            resumeIfAnswered(ctx);
        }
    }

    // ---- how far requests are decoded ahead ----

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
        if (isOpenForRequests()) { // an answer came in between and may not have seen that this is paused
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
                return !ledger.isFull();
        }
    }

    private void warnOnce() {
        if (!warned) {
            warned = true;
            logger.warn("reading of " + ctx.getChannel() + " is suspended until some of its " + ledger.size()
                    + " unanswered requests are answered; each request must be");
        }
    }

    /** Any thread. Only once an answer was sent on, since what is decoded then may be answered at once. */
    private void resumeIfAnswered(ChannelHandlerContext ctx) {
        if (paused && protocolSwitch != Switch.PENDING && (protocolSwitch == Switch.GRANTED || ledger.hasRoom())) {
            ctx.getPipeline().execute(this::resume);
        }
    }

    private void resume() {
        if (!paused || !isOpenForRequests()) {
            return;
        }
        paused = false;
        gate.resume();
        try {
            decoder.decodeKept(ctx);
            endInput();
        } catch (Exception failure) {
            Channels.fireExceptionCaught(ctx, failure);
        }
    }

    /** The end of the client's output comes behind the requests that were decoded late. */
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

    // ---- what other handlers may ask ----

    @Override
    public final int unansweredRequests() {
        return ledger.size();
    }

    @Override
    public final boolean isReceivingContent() {
        return receivingContent;
    }

    @Override
    public final boolean isReceivingHead() {
        return !paused && decoder.isWithinHead();
    }

    @Override
    public final boolean hasRefused() {
        return decoder.isFailed();
    }

    @Override
    public final boolean isUpgraded() {
        return protocolSwitch == Switch.GRANTED;
    }

    /**
     * Whether the client wants to go on after the request whose answer comes next: as the version and {@code Connection} of
     * that request said when it was decoded. False if no request waits. For the thread that writes responses.
     */
    @Override
    public final boolean isNextKeptAlive() {
        return ledger.isOldestKept();
    }

    @Override
    public final boolean isNextOfVersion10() {
        return sawVersion10 && (ledger.oldest() & RequestLedger.HTTP_1_0) != 0;
    }

    @Override
    public final boolean isNextHead() {
        return (ledger.oldest() & RequestLedger.HEAD) != 0;
    }

    @Override
    public final long receivedRequests() {
        return decoder.requests;
    }

    @Override
    public final long receivedBytes() {
        return receivedBytes;
    }

    @Override
    public final HttpExpectation lastExpectation() {
        return decoder.expectation;
    }

    @Override
    public final long lastContentLength() {
        return decoder.contentLength;
    }

    // ---- coming and going ----

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
        decoder.beforeAdd(ctx);
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        decoder.afterAdd(ctx);
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.beforeRemove(ctx);
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        decoder.afterRemove(ctx);
        if (paused) {
            paused = false;
            gate.resume();
        }
    }

    /** Decodes requests, and enters each in the ledger. */
    @ChannelHandler.Borrower
    private final class Decoder extends HttpRequestDecoder {
        long requests;

        /** Of the request that was decoded last. */
        HttpExpectation expectation = HttpExpectation.NONE;

        /** Of the request that was decoded last; -1 for none. */
        long contentLength = -1;

        Decoder(HttpLimits limits) {
            super(limits);
        }

        @Override
        boolean mayStartMessage() {
            return mayDecode();
        }

        @Override
        void onHead(HttpMessage message, HeadFacts facts) {
            HttpRequest request = (HttpRequest) message;
            HttpMethod method = request.getMethod();
            boolean isVersion11 = request.getProtocolVersion().isAtLeast11();
            int flags = HttpMethod.HEAD.equals(method) ? RequestLedger.HEAD : 0;
            flags |= HttpMethod.CONNECT.equals(method) ? RequestLedger.CONNECT : 0;
            if (!isVersion11) {
                flags |= RequestLedger.HTTP_1_0;
                sawVersion10 = true;
            } else if (facts.upgrade()) {
                flags |= RequestLedger.UPGRADE;
            }
            if (facts.close() || !isVersion11 && !facts.keepAlive()) {
                flags |= RequestLedger.CLOSE;
            }
            requests++;
            expectation = HttpExpectation.of(facts, isVersion11);
            contentLength = facts.contentLength;
            if (contentLength > 0 || facts.coding != HeadFacts.Coding.NONE) {
                receivingContent = true;
            }
            if ((flags & (RequestLedger.CONNECT | RequestLedger.UPGRADE)) != 0) {
                protocolSwitch = Switch.PENDING;
            }
            ledger.add(flags);
        }

        @Override
        void onMessageEnd() {
            if (receivingContent) {
                receivingContent = false;
            }
        }
    }

    /** Encodes responses as the requests that they answer want them. */
    final class Encoder extends HttpResponseEncoder {
        /** The content of the response being written is not sent. */
        private volatile boolean dropsContent;

        /** The end of the response being written is the end of the connection. */
        private volatile boolean unframed;

        private volatile boolean lastOfConnection;

        /** Whether the connection ends with what was just written. Asked once. */
        boolean takeLastOfConnection() {
            boolean last = lastOfConnection;
            if (last) {
                lastOfConnection = false;
            }
            return last;
        }

        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
            if (msg instanceof HttpResponse) {
                int code = ((HttpResponse) msg).getStatus().getCode();
                return code >= 100 && code < 200 && code != 101
                        ? encodeInterim((HttpResponse) msg)
                        : encodeFinal((HttpResponse) msg, code);
            }
            return msg instanceof HttpChunk ? encodeChunk((HttpChunk) msg) : super.encode(ctx, channel, msg);
        }

        private ChannelBuffer encodeInterim(HttpResponse response) throws Exception {
            if ((ledger.oldest() & RequestLedger.HTTP_1_0) != 0) {
                return null;
            }
            removeFraming(response);
            return encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        }

        private ChannelBuffer encodeFinal(HttpResponse response, int code) throws Exception {
            int request = ledger.oldest();
            boolean connected = (request & RequestLedger.CONNECT) != 0 && code / 100 == 2;
            if (code == 204 || connected) {
                removeFraming(response);
            }
            boolean empty =
                    connected || (request & RequestLedger.HEAD) != 0 || code == 204 || code == 205 || code == 304;
            ChannelBuffer encoded = empty ? encodeWithoutContent(response, code) : encodeWithContent(response, request);
            if (protocolSwitch == Switch.PENDING && (request & (RequestLedger.CONNECT | RequestLedger.UPGRADE)) != 0) {
                protocolSwitch = connected || code == 101 ? Switch.GRANTED : Switch.NONE;
            }
            if (!response.isChunked() && !expectsChunks(response)) {
                ledger.answered();
            }
            return encoded;
        }

        private ChannelBuffer encodeWithoutContent(HttpResponse response, int code) throws Exception {
            if (code == 205) {
                removeFraming(response);
                HttpHeaders.setContentLength(response, 0);
            } else if (response.isChunked()
                    && code != 204
                    && !HttpHeaders.isContentLengthSet(response)
                    && !HttpHeaders.isTransferEncodingChunked(response)
                    && (ledger.oldest() & (RequestLedger.HTTP_1_0 | RequestLedger.CONNECT)) == 0) {
                HttpHeaders.setTransferEncodingChunked(response); // as the answer to GET would have it
            }
            dropsContent = response.isChunked();
            leaveChunksUnframed();
            return encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        }

        private ChannelBuffer encodeWithContent(HttpResponse response, int request) throws Exception {
            boolean chunks = response.isChunked() && !HttpHeaders.isContentLengthSet(response)
                    || HttpHeaders.isTransferEncodingChunked(response);
            if (!chunks || (request & RequestLedger.HTTP_1_0) == 0 && !isOfVersion10(response)) {
                return encodeMessage(response);
            }
            HttpHeaders.removeTransferEncodingChunked(response);
            response.headers().set(HttpHeaders.Names.CONNECTION, (Object) HttpHeaders.Values.CLOSE);
            unframed = true;
            response.setChunked(true);
            leaveChunksUnframed();
            return encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        }

        private ChannelBuffer encodeChunk(HttpChunk chunk) throws Exception {
            ChannelBuffer encoded = dropsContent ? null : (ChannelBuffer) super.encode(ctx, ctx.getChannel(), chunk);
            if (chunk.isLast()) {
                dropsContent = false;
                lastOfConnection = unframed;
                unframed = false;
                ledger.answered();
            }
            return encoded;
        }

        private void removeFraming(HttpResponse response) {
            response.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
            response.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING);
        }
    }
}
