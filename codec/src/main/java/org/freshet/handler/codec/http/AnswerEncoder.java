package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.Exchange.Framing;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.internal.handler.MessagePart;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Encodes responses to fit the exchanges they answer, and keeps what is sent consistent with what each head declared.
 * Content beyond the declared length is refused. If a response can't be completed, the connection is closed.
 *
 * <pre>
 *   what is written                       belongs to
 *   a final response                      the current exchange, which it claims
 *   chunks, buffers, regions after it     the same exchange, until its framing says that it is complete
 *   content after a response without any  nothing: it is swallowed (HEAD, 204, 205, 304)
 *   a buffer or region between responses  the current exchange: a whole response that the application encoded
 * </pre>
 *
 * <p>After a response without content, a buffer counts as the next response only if it begins with a status line. If
 * the handler may still be writing content that the head declared, the connection is closed: a file must not become a
 * response.
 *
 * <p>Belongs to the thread that writes responses, which may change from one message to the next.
 */
final class AnswerEncoder extends HttpResponseEncoder {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(AnswerEncoder.class);

    private static final AtomicBoolean unframedLogged = new AtomicBoolean();

    private static final VarHandle ENDED;

    static {
        try {
            ENDED = MethodHandles.lookup().findVarHandle(AnswerEncoder.class, "ended", Exchange.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ServerExchanges exchanges;
    private final HttpServerCodec codec;

    /** The exchange that ends with the message being written; null if none does. */
    private volatile Exchange ended;

    /** The connection ends with the message being written. */
    private volatile boolean isLastOfConnection;

    /** The last response has no content, so anything written after its head is dropped. */
    private volatile boolean swallows;

    /**
     * Bytes of the last response's content that its handler may still write and that will be swallowed. MAX_VALUE if
     * the content ends with a last chunk or its length isn't known.
     */
    private volatile long unwrittenBytes;

    /** Tracks the response being written; null until the application writes chunks that it has framed itself. */
    private volatile OwnChunks ownChunks;

    /** A response could not be completed: anything sent before the channel closes would be taken for the rest of it. */
    private volatile boolean hasFailed;

    private final PassingPart passing = new PassingPart();

    AnswerEncoder(HttpServerCodec codec, ServerExchanges exchanges) {
        this.codec = codec;
        this.exchanges = exchanges;
    }

    /** Passes on something that may be a part of an answer. If that is refused, no other answer may take its place. */
    void passPart(ChannelHandlerContext ctx, MessageEvent write) throws Exception {
        if (!passing.begin(ctx, write)) {
            return;
        }
        try {
            handleDownstream(ctx, write);
        } catch (Throwable notEncoded) {
            passing.end();
            if (notEncoded instanceof Error && hasBegun()) {
                onUnsent(ctx, notEncoded);
            }
            throw notEncoded;
        }
        Throwable cause = write.getFuture().getCause();
        if (cause == null) {
            passing.end();
        } else if (MessagePart.leavesGap(cause)) {
            onUnsent(ctx, cause);
        }
    }

    private boolean hasBegun() {
        Exchange current = exchanges.current();
        return ended != null || current != null && current.hasBegun();
    }

    private void onUnsent(ChannelHandlerContext ctx, Throwable cause) {
        hasFailed = true;
        Exchange lost = takeEnded();
        if (lost == null) {
            lost = exchanges.current();
        }
        if (lost != null) {
            lost.fail();
        }
        MessagePart.end(ctx, cause);
    }

    /** Returns the exchange that ended with what was just encoded, and clears it. Null if none did. */
    Exchange takeEnded() {
        Exchange taken = ended;
        if (taken != null) {
            ENDED.setRelease(this, null);
        }
        return taken;
    }

    /** Returns whether the connection ends with what was just encoded, and clears the mark. */
    boolean takeLastOfConnection() {
        boolean last = isLastOfConnection;
        if (last) {
            isLastOfConnection = false;
        }
        return last;
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (hasFailed) {
            UnsentMessage.release(msg);
            throw new IllegalStateException("the connection is closed because a response could not be completed");
        }
        if (msg instanceof HttpResponse response) {
            int code = response.getStatus().getCode();
            return isInterim(code) ? encodeInterim(response, code) : encodeFinal(ctx, response, code);
        }
        if (msg instanceof HttpChunk chunk) {
            return encodeChunk(ctx, chunk);
        }
        if (msg instanceof ChannelBuffer || msg instanceof FileRegion || msg instanceof ChunkedInput) {
            return codec.isUpgraded() ? msg : passRaw(ctx, msg);
        }
        return super.encode(ctx, channel, msg);
    }

    static boolean isInterim(int code) {
        return code >= 100 && code < 200 && code != 101;
    }

    // ---- heads ------------------------------------------------------------------------------------------------------

    private ChannelBuffer encodeInterim(HttpResponse response, int code) throws Exception {
        Exchange exchange = exchanges.current();
        if (exchange != null && exchange.isHttp10()) {
            return null;
        }
        if (exchange != null && exchange.hasBegun()) {
            throw new IllegalStateException("an interim response (" + code + ") inside another response");
        }
        removeFraming(response);
        ChannelBuffer encoded = encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        if (exchange != null && code == 100) {
            exchange.onContinued();
        }
        return encoded;
    }

    private ChannelBuffer encodeFinal(ChannelHandlerContext ctx, HttpResponse response, int code) throws Exception {
        Exchange exchange = exchanges.current();
        if (exchange != null && exchange.hasBegun()) {
            throw abort(ctx, exchange, "a response was written before the previous one was complete");
        }
        if (exchange == null) {
            return encodeUnasked(response, code);
        }
        if (!exchange.claim()) {
            throw new IllegalStateException("another thread is already answering this request");
        }
        try {
            long unwritten = isContentAllowed(exchange, code) ? 0 : unwrittenBytesOf(response, code);
            ChannelBuffer encoded = encodeClaimed(exchange, response, code);
            setSwallowing(!isContentAllowed(exchange, code), unwritten);
            return encoded;
        } catch (Throwable t) {
            exchange.withdrawClaim();
            throw t;
        }
    }

    /**
     * Allows only what a client can't take for the answer to its next request: anything before the first one, and 408.
     */
    private ChannelBuffer encodeUnasked(HttpResponse response, int code) throws Exception {
        boolean isExpected = code == HttpResponseStatus.REQUEST_TIMEOUT.getCode() || exchanges.receivedRequests() == 0;
        if (!isExpected || response.isChunked()) {
            throw new IllegalStateException("no request waits for this response (" + response.getStatus()
                    + "): each request gets one response, and a chunked response ends with its last chunk");
        }
        isLastOfConnection = true;
        return encodeMessage(response);
    }

    private ChannelBuffer encodeClaimed(Exchange exchange, HttpResponse response, int code) throws Exception {
        boolean connected = exchange.isConnect() && code / 100 == 2;
        if (code == 204 || connected) {
            removeFraming(response);
        }
        ChannelBuffer encoded = connected || !isContentAllowed(exchange, code)
                ? encodeWithoutContent(exchange, response, code)
                : encodeWithContent(exchange, response, code);
        codec.onAnswered(exchange, connected || code == 101);
        return encoded;
    }

    private static boolean isContentAllowed(Exchange exchange, int code) {
        return !exchange.isHead() && hasContent(code);
    }

    private static boolean hasContent(int code) {
        return code != 204 && code != 205 && code != 304;
    }

    /** For a response without content: the handler may still write what the head declares, for HEAD as for GET. */
    private static long unwrittenBytesOf(HttpResponse response, int code) {
        long length = DeclaredContent.lengthOf(response);
        if (length >= 0) {
            return Math.max(0, length - response.getContent().readableBytes());
        }
        if (DeclaredContent.isInChunks(response, length)) {
            return Long.MAX_VALUE;
        }
        boolean isUndeclared = hasContent(code) && !response.getContent().readable();
        return isUndeclared ? Long.MAX_VALUE : 0;
    }

    /** Skips the write if nothing changes, as for most responses: a volatile write costs more than the comparison. */
    private void setSwallowing(boolean swallows, long unwrittenBytes) {
        if (this.swallows != swallows) {
            this.swallows = swallows;
        }
        if (this.unwrittenBytes != unwrittenBytes) {
            this.unwrittenBytes = unwrittenBytes;
        }
    }

    private void end(Exchange exchange) {
        exchange.end();
        noteEnded(exchange);
    }

    /**
     * A listener of the message that ended the previous response may write this one while that is still being passed
     * on.
     */
    private void noteEnded(Exchange exchange) {
        Exchange before = ended;
        ENDED.setRelease(this, exchange);
        if (before != null) {
            codec.onPassed(before);
        }
    }

    private ChannelBuffer encodeWithoutContent(Exchange exchange, HttpResponse response, int code) throws Exception {
        if (code == 205) {
            removeFraming(response);
            HttpHeaders.setContentLength(response, 0);
        } else if (response.isChunked()
                && code != 204
                && !HttpHeaders.isContentLengthSet(response)
                && !HttpHeaders.isTransferEncodingChunked(response)
                && !exchange.isHttp10()
                && !exchange.isConnect()) {
            HttpHeaders.setTransferEncodingChunked(response); // as the response to GET would have it
        }
        leaveChunksUnframed();
        ChannelBuffer encoded = encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        end(exchange);
        return encoded;
    }

    private ChannelBuffer encodeWithContent(Exchange exchange, HttpResponse response, int code) throws Exception {
        long length = DeclaredContent.lengthOf(response);
        if (DeclaredContent.isInChunks(response, length)) {
            return exchange.isHttp10() || isHttp10(response)
                    ? encodeUntilClose(exchange, response)
                    : encodeInChunks(exchange, response);
        }
        if (length >= 0) {
            return encodeOfLength(exchange, response, length);
        }
        if (code == 101) {
            ChannelBuffer encoded = encodeMessage(response);
            end(exchange);
            return encoded;
        }
        int present = response.getContent().readableBytes();
        if (present == 0) {
            return encodeUnframed(exchange, response);
        }
        HttpHeaders.setContentLength(response, present);
        ChannelBuffer encoded = encodeMessage(response);
        end(exchange);
        return encoded;
    }

    private ChannelBuffer encodeInChunks(Exchange exchange, HttpResponse response) throws Exception {
        ChannelBuffer encoded = encodeMessage(response);
        if (ownChunks != null) {
            ownChunks = null;
        }
        exchange.begin(Framing.CHUNKS, 0);
        return encoded;
    }

    /** HTTP/1.0 has no chunks. */
    private ChannelBuffer encodeUntilClose(Exchange exchange, HttpResponse response) throws Exception {
        HttpHeaders.removeTransferEncodingChunked(response);
        response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        response.setChunked(true);
        leaveChunksUnframed();
        ChannelBuffer encoded = encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        exchange.begin(Framing.CLOSE, 0);
        return encoded;
    }

    private ChannelBuffer encodeOfLength(Exchange exchange, HttpResponse response, long length) throws Exception {
        long missing = DeclaredContent.missing(response, length);
        ChannelBuffer encoded = encodeMessage(response);
        if (missing == 0) {
            end(exchange);
        } else {
            exchange.begin(Framing.LENGTH, missing);
        }
        return encoded;
    }

    /** Netty 3 sends such a head unchanged; the end of the connection then ends the content. */
    private ChannelBuffer encodeUnframed(Exchange exchange, HttpResponse response) throws Exception {
        boolean isDelimited = !exchange.isKeptAlive() || !HttpHeaders.isKeepAlive(response);
        if (!isDelimited && unframedLogged.compareAndSet(false, true)) {
            logger.warn("the response has neither Content-Length nor content (" + response.getStatus()
                    + "), so the client waits until the connection closes: set Content-Length: 0, or put an"
                    + " HttpKeepAliveHandler after the codec; this is logged once");
        }
        ChannelBuffer encoded = encodeMessage(response);
        exchange.begin(Framing.CLOSE, 0);
        return encoded;
    }

    private static void removeFraming(HttpResponse response) {
        response.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
        response.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING);
    }

    // ---- content ----------------------------------------------------------------------------------------------------

    private Object encodeChunk(ChannelHandlerContext ctx, HttpChunk chunk) throws Exception {
        Exchange exchange = exchanges.current();
        if (exchange == null || !exchange.hasBegun()) {
            if (swallows) {
                onSwallowed(chunk.getContent().readableBytes(), chunk.isLast());
            }
            if (swallows || codec.isUpgraded() || !chunk.getContent().readable()) {
                return codec.isUpgraded() && chunk.getContent().readable() ? chunk.getContent() : null;
            }
            throw new IllegalStateException("a chunk was written without a response that it belongs to");
        }
        return switch (exchange.framing()) {
            case CHUNKS -> encodeFramedChunk(ctx, exchange, chunk);
            case LENGTH -> encodeCountedChunk(ctx, exchange, chunk);
            default -> encodeUnframedChunk(exchange, chunk);
        };
    }

    private Object encodeFramedChunk(ChannelHandlerContext ctx, Exchange exchange, HttpChunk chunk) throws Exception {
        Object encoded = super.encode(ctx, ctx.getChannel(), chunk);
        if (chunk.isLast()) {
            end(exchange);
        }
        return encoded;
    }

    private Object encodeCountedChunk(ChannelHandlerContext ctx, Exchange exchange, HttpChunk chunk) {
        count(ctx, exchange, chunk.getContent().readableBytes());
        if (chunk.isLast() && !exchange.isDone()) {
            throw abort(ctx, exchange, DeclaredContent.tooShort(exchange.remainingBytes()));
        }
        return chunk.getContent();
    }

    private Object encodeUnframedChunk(Exchange exchange, HttpChunk chunk) {
        if (chunk.isLast()) {
            end(exchange);
            isLastOfConnection = true;
        }
        return chunk.getContent();
    }

    /** Passes on content that the application framed itself: part of a response, or a whole one. */
    private Object passRaw(ChannelHandlerContext ctx, Object content) throws Exception {
        long bytes = DeclaredContent.sizeOf(content);
        if (bytes == 0) {
            return content; // only marks a place in the order, such as one after which the connection is closed
        }
        Exchange exchange = exchanges.current();
        if (exchange != null && exchange.hasBegun()) {
            if (exchange.framing() == Framing.LENGTH && bytes > 0) {
                try {
                    count(ctx, exchange, bytes);
                } catch (IllegalStateException e) {
                    UnsentMessage.release(content);
                    throw e;
                }
            } else if (exchange.framing() == Framing.CHUNKS) {
                followChunks(exchange, content, bytes);
            }
            return content;
        }
        int code = EncodedAnswer.statusOf(content);
        if (swallows && (exchange == null || code == 0)) {
            UnsentMessage.release(content);
            onSwallowed(bytes, false);
            return null;
        }
        if (swallows && unwrittenBytes > 0) {
            throw abort(ctx, exchange, "these bytes may be content of a response without any, or the next response");
        }
        return exchange == null ? content : passRawAnswer(exchange, content, code);
    }

    private void followChunks(Exchange exchange, Object content, long bytes) {
        OwnChunks followed = ownChunks == null ? new OwnChunks() : ownChunks;
        if (content instanceof ChannelBuffer buffer) {
            followed.feed(buffer);
        } else {
            followed.feed(bytes);
        }
        ownChunks = followed; // for the thread that writes next
        if (followed.isOver()) {
            end(exchange);
        }
    }

    private void onSwallowed(long bytes, boolean isLast) {
        long unwritten = unwrittenBytes;
        if (isLast) {
            unwrittenBytes = 0;
        } else if (unwritten < Long.MAX_VALUE && bytes > 0) {
            unwrittenBytes = Math.max(0, unwritten - bytes);
        }
    }

    private Object passRawAnswer(Exchange exchange, Object answer, int code) {
        if (!isInterim(code) && exchange.claim()) {
            swallows = false;
            codec.onAnswered(exchange, code == 101 || exchange.isConnect() && code / 100 == 2);
            end(exchange);
        }
        return answer;
    }

    private void count(ChannelHandlerContext ctx, Exchange exchange, long bytes) {
        if (bytes > exchange.remainingBytes()) {
            throw abort(ctx, exchange, DeclaredContent.tooLong(bytes, exchange.remainingBytes()));
        }
        exchange.onContentWritten(bytes);
        if (exchange.isDone()) {
            noteEnded(exchange);
        }
    }

    /** The response can't be completed. Closing the connection is the only way to let the client know. */
    private IllegalStateException abort(ChannelHandlerContext ctx, Exchange exchange, String why) {
        exchange.fail();
        hasFailed = true;
        return DeclaredContent.close(ctx, why);
    }
}
