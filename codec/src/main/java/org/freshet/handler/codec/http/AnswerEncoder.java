package org.freshet.handler.codec.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.Exchange.Framing;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Encodes responses as the exchanges that they answer want them, and sees to it that what is sent agrees with what the head declared: content
 * beyond that is refused, and a connection whose answer can't be completed ends.
 *
 * <pre>
 *   what is written                       belongs to
 *   a final response                      the current exchange, which it claims
 *   chunks, buffers, regions behind it    the same, until its framing says that it is complete
 *   content behind an answer without any  nothing: it is swallowed (HEAD, 204, 205, 304)
 *   a buffer or region between answers    the current exchange: encoded by the application, it is taken for the whole answer
 * </pre>
 *
 * <p>Behind an answer without content, only a buffer that begins with a status line is taken for the next one. If the handler may still be
 * writing content that the head declared, the connection is closed: a file must not become an answer.
 *
 * <p>For the thread that writes responses, which may change from one message to the next.
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

    /** The answer that ends with the message being written; null if none does. */
    private volatile Exchange ended;

    /** The connection ends with the message being written. */
    private volatile boolean isLastOfConnection;

    /** The last answer has no content, whatever is written behind its head. */
    private volatile boolean swallows;

    /**
     * How much content of the last answer its handler may still write, to be swallowed, in bytes; MAX_VALUE if that ends with a last chunk or
     * isn't known.
     */
    private volatile long unwrittenBytes;

    /** Of the answer being written; null until the application writes chunks that it has framed itself. */
    private volatile OwnChunks ownChunks;

    /** An answer could not be completed: whatever is sent until the connection is closed would be taken for the rest of it. */
    private volatile boolean hasFailed;

    AnswerEncoder(HttpServerCodec codec, ServerExchanges exchanges) {
        this.codec = codec;
        this.exchanges = exchanges;
    }

    /** The exchange that ended with what was just encoded, or null. Asked once. */
    Exchange takeEnded() {
        Exchange taken = ended;
        if (taken != null) {
            ENDED.setRelease(this, null);
        }
        return taken;
    }

    /** Whether the connection ends with what was just encoded. Asked once. */
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
            throw new IllegalStateException("the connection is closed, since an answer could not be completed");
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
        if (exchange != null && exchange.isOfVersion10()) {
            return null;
        }
        if (exchange != null && exchange.isBegun()) {
            throw new IllegalStateException("an interim response (" + code + ") within an answer");
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
        if (exchange != null && exchange.isBegun()) {
            throw abort(ctx, exchange, "a response was written before the one before it was complete");
        }
        if (exchange == null) {
            return encodeUnasked(response, code);
        }
        if (!exchange.claim()) {
            throw new IllegalStateException("the request is being answered by another thread");
        }
        try {
            long unwritten = isContentAllowed(exchange, code) ? 0 : unwrittenBytesOf(exchange, response, code);
            ChannelBuffer encoded = encodeClaimed(exchange, response, code);
            setSwallowing(!isContentAllowed(exchange, code), unwritten);
            return encoded;
        } catch (Throwable t) {
            exchange.withdrawClaim();
            throw t;
        }
    }

    /** Only what no client takes for the answer to its next request: before the first one, and 408. */
    private ChannelBuffer encodeUnasked(HttpResponse response, int code) throws Exception {
        boolean isExpected = code == HttpResponseStatus.REQUEST_TIMEOUT.getCode() || exchanges.receivedRequests() == 0;
        if (!isExpected || expectsContent(response)) {
            throw new IllegalStateException("no request waits for this response (" + response.getStatus()
                    + "): each request has one answer, and a chunked one ends with its last chunk");
        }
        isLastOfConnection = true;
        return encodeMessage(response);
    }

    private boolean expectsContent(HttpResponse response) {
        return response.isChunked() || HttpHeaders.isTransferEncodingChunked(response);
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

    /** Of an answer without content: its handler may go on with what the head declares, for HEAD as if the method were GET. */
    private static long unwrittenBytesOf(Exchange exchange, HttpResponse response, int code) {
        long length = DeclaredContent.lengthOf(response);
        if (length >= 0) {
            return Math.max(0, length - response.getContent().readableBytes());
        }
        if (DeclaredContent.isInChunks(response, length)) {
            return Long.MAX_VALUE;
        }
        boolean isUndeclared =
                exchange.isHead() && hasContent(code) && !response.getContent().readable();
        return isUndeclared ? Long.MAX_VALUE : 0;
    }

    /** Most answers change nothing here, and a volatile write costs more than the comparison. */
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

    /** A listener of the message that ended the answer before may be writing this one, while that is still being passed on. */
    private void noteEnded(Exchange exchange) {
        Exchange before = ended;
        ENDED.setRelease(this, exchange);
        if (before != null) {
            exchanges.onPassed(before);
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
                && !exchange.isOfVersion10()
                && !exchange.isConnect()) {
            HttpHeaders.setTransferEncodingChunked(response); // as the answer to GET would have it
        }
        leaveChunksUnframed();
        ChannelBuffer encoded = encodeHead(response, ChannelBuffers.EMPTY_BUFFER);
        end(exchange);
        return encoded;
    }

    private ChannelBuffer encodeWithContent(Exchange exchange, HttpResponse response, int code) throws Exception {
        long length = DeclaredContent.lengthOf(response);
        if (DeclaredContent.isInChunks(response, length)) {
            return exchange.isOfVersion10() || isOfVersion10(response)
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

    /** Netty 3 sends such a head as it is; what follows is delimited by the end of the connection. */
    private ChannelBuffer encodeUnframed(Exchange exchange, HttpResponse response) throws Exception {
        boolean isDelimited = !exchange.isKeptAlive() || !HttpHeaders.isKeepAlive(response);
        if (!isDelimited && unframedLogged.compareAndSet(false, true)) {
            logger.warn("a response without Content-Length and without content (" + response.getStatus()
                    + ") ends with its connection, which the client waits for: set Content-Length: 0, or put an"
                    + " HttpKeepAliveHandler behind the codec; this is logged once");
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
        if (exchange == null || !exchange.isBegun()) {
            if (swallows) {
                onSwallowed(chunk.getContent().readableBytes(), chunk.isLast());
            }
            if (swallows || codec.isUpgraded() || !chunk.getContent().readable()) {
                return codec.isUpgraded() && chunk.getContent().readable() ? chunk.getContent() : null;
            }
            throw new IllegalStateException("a chunk without a response that it belongs to");
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
        if (chunk.isLast() && !exchange.isOver()) {
            throw abort(ctx, exchange, DeclaredContent.tooShort(exchange.dueBytes()));
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

    /** Content that was framed by the application, of an answer or a whole one. */
    private Object passRaw(ChannelHandlerContext ctx, Object content) throws Exception {
        long bytes = DeclaredContent.sizeOf(content);
        if (bytes == 0) {
            return content; // a place in the order, such as one behind which the connection is closed
        }
        Exchange exchange = exchanges.current();
        if (exchange != null && exchange.isBegun()) {
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
            throw abort(ctx, exchange, "bytes may be the content of an answer that has none, or the next answer");
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
        if (bytes > exchange.dueBytes()) {
            throw abort(ctx, exchange, DeclaredContent.tooLong(bytes, exchange.dueBytes()));
        }
        exchange.onContentWritten(bytes);
        if (exchange.isOver()) {
            noteEnded(exchange);
        }
    }

    /** The answer can't be completed: the end of the connection is what tells the client. */
    private IllegalStateException abort(ChannelHandlerContext ctx, Exchange exchange, String why) {
        exchange.fail();
        hasFailed = true;
        return DeclaredContent.close(ctx, why);
    }
}
