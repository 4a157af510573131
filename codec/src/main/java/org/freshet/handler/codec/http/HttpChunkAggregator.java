package org.freshet.handler.codec.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Joins a chunked message and its chunks into one message that is not chunked. The message gets a
 * {@code Content-Length}, unless its content also has another transfer coding, such as gzip.
 *
 * <pre>{@code
 * pipeline.addLast("codec", new HttpServerCodec());
 * pipeline.addLast("aggregator", new HttpChunkAggregator(65536));
 * pipeline.addLast("handler", new HttpRequestHandler());
 * }</pre>
 *
 * <p>A client that waits for {@code 100 Continue} gets it once earlier requests have been answered, unless its content is
 * too long. Content that is too long is reported as a {@link TooLongHttpMessageException} that suggests 413. This happens
 * as soon as the length is known, and the rest of the message is discarded. This handler sends no error response: close
 * the channel, or answer and close it. A CONNECT request on an HTTP/2 stream is passed on unchanged, and so are the chunks
 * that arrive through its tunnel.
 *
 * <p>Trailers are in {@link HttpMessage#trailingHeaders()}. They become headers only if {@link #setMergedTrailers}
 * names them, or {@link HttpViolation#TRAILERS_AS_HEADERS} is allowed.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline.
 */
public class HttpChunkAggregator extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** The default for {@link #setMaxCumulationBufferComponents}. */
    public static final int DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS = 1024;

    /** Determines what happens to the next chunk. */
    private enum State {
        BETWEEN_MESSAGES,
        COLLECTING,
        /** The chunk belongs to a message that was too long. */
        DISCARDING,
        /** The chunk arrived through a tunnel. */
        PASSING
    }

    private final int maxContentLength;
    private final boolean mergesAllTrailers;

    /** Compared ignoring case. */
    private Set<String> mergedTrailers = Set.of();

    private int maxCumulationBufferComponents = DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS;

    private ChannelHandlerContext ctx;
    private State state = State.BETWEEN_MESSAGES;
    private HttpMessage message;

    /** Pieces of the content that are kept as they arrived. */
    private final List<ChannelBuffer> pieces = new ArrayList<>();

    /** The earlier pieces, copied together because there were too many; null if they weren't. */
    private ChannelBuffer copied;

    private long contentLength;

    /**
     * The exchange whose client waits until earlier requests have been answered; null if no client waits. Volatile, so that a
     * response passed on by another thread is either seen after this is set, or announced with a later event.
     */
    private volatile Exchange deferred;

    /** Those of {@link #deferred}. */
    private Exchanges exchanges;

    /**
     * Uses {@link HttpLimits#defaults()}.
     *
     * @param maxContentLength maximum bytes of a message's content, 1 or more
     */
    public HttpChunkAggregator(int maxContentLength) {
        this(maxContentLength, HttpLimits.defaults());
    }

    /**
     * @param maxContentLength maximum bytes of a message's content, 1 or more
     * @param limits decide whether {@link HttpViolation#TRAILERS_AS_HEADERS} is allowed; nothing else in them is used
     *     here
     */
    public HttpChunkAggregator(int maxContentLength, HttpLimits limits) {
        if (maxContentLength <= 0) {
            throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
        }
        this.maxContentLength = maxContentLength;
        mergesAllTrailers = limits.allows(HttpViolation.TRAILERS_AS_HEADERS);
    }

    public final int getMaxCumulationBufferComponents() {
        return maxCumulationBufferComponents;
    }

    /**
     * Sets how many pieces a message's content may have before they are copied together.
     *
     * @param maxCumulationBufferComponents 2 or more; the default is {@value #DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS}
     * @throws IllegalStateException if the aggregator is in a pipeline
     */
    public final void setMaxCumulationBufferComponents(int maxCumulationBufferComponents) {
        if (maxCumulationBufferComponents < 2) {
            throw new IllegalArgumentException("maxCumulationBufferComponents < 2: " + maxCumulationBufferComponents);
        }
        checkConfigurable();
        this.maxCumulationBufferComponents = maxCumulationBufferComponents;
    }

    /** The names set with {@link #setMergedTrailers}, unmodifiable, ignoring case. Empty by default. */
    public final Set<String> getMergedTrailers() {
        return mergedTrailers;
    }

    /**
     * Sets the trailers that also become headers of the message, such as {@code Content-Digest}. Name only trailers
     * whose definition allows that (RFC 9110 6.5.1), and whose value you would accept from any peer.
     *
     * @param names in any case; none by default
     * @throws IllegalArgumentException if a name is that of a header that frames, routes or authorizes a message
     * @throws IllegalStateException if the aggregator is in a pipeline
     */
    public final void setMergedTrailers(Set<String> names) {
        Set<String> merged = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : names) {
            merged.add(TrailerHeaders.allowed(name));
        }
        checkConfigurable();
        mergedTrailers = Collections.unmodifiableSet(merged);
    }

    private void checkConfigurable() {
        if (ctx != null) {
            throw new IllegalStateException(
                    "an aggregator cannot be configured while it is in a pipeline: " + ctx.getName());
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object received = e.getMessage();
        if (received instanceof HttpMessage) {
            startMessage(ctx, e, (HttpMessage) received);
        } else if (received instanceof HttpChunk) {
            takeChunk(ctx, e, (HttpChunk) received);
        } else {
            ctx.sendUpstream(e);
        }
    }

    private void startMessage(ChannelHandlerContext ctx, MessageEvent e, HttpMessage started) throws Exception {
        forget();
        if (!started.isChunked()) {
            checkLength(started.getContent().readableBytes());
            ctx.sendUpstream(e);
            return;
        }
        if (isTunnel(started)) {
            state = State.PASSING;
            ctx.sendUpstream(e);
            return;
        }
        state = State.DISCARDING;
        checkLength(HttpHeaders.getContentLength(started, 0));
        if (HttpHeaders.is100ContinueExpected(started)) {
            letContinue(ctx, (HttpRequest) started);
        }
        state = State.COLLECTING;
        message = started;
    }

    private void letContinue(ChannelHandlerContext ctx, HttpRequest started) {
        Exchanges found = Exchanges.of(ctx.getPipeline());
        Exchange exchange = found == null ? null : found.of(started);
        if (exchange == null) {
            sendContinue(ctx);
        } else {
            exchanges = found;
            deferred = exchange;
            continueIfDue(ctx);
        }
    }

    private static void sendContinue(ChannelHandlerContext ctx) {
        HttpResponse proceed = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE);
        Channels.write(ctx, Channels.future(ctx.getChannel()), proceed);
    }

    /** Waits for the responses to earlier requests, or the client could take the 100 for one of them. */
    private void continueIfDue(ChannelHandlerContext ctx) {
        Exchange waiting = deferred;
        if (waiting == null) {
            return;
        }
        if (waiting.isDone() || !waiting.isAwaitingContinue()) {
            deferred = null;
        } else if (exchanges.isDue(waiting)) {
            deferred = null;
            sendContinue(ctx);
        }
    }

    /** An earlier response may have been passed on. */
    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        continueIfDue(ctx);
        ctx.sendUpstream(e);
    }

    /** A CONNECT on an HTTP/2 stream, which ends when the tunnel ends. */
    private static boolean isTunnel(HttpMessage message) {
        return message instanceof HttpRequest request
                && HttpMethod.CONNECT.equals(request.getMethod())
                && !HttpHeaders.isTransferEncodingChunked(message)
                && !HttpHeaders.isContentLengthSet(message);
    }

    private void takeChunk(ChannelHandlerContext ctx, MessageEvent e, HttpChunk chunk) throws Exception {
        switch (state) {
            case BETWEEN_MESSAGES:
                throw new IllegalStateException("a chunk was received outside of a message: " + chunk);
            case DISCARDING:
                if (chunk.isLast()) {
                    state = State.BETWEEN_MESSAGES;
                }
                break;
            case PASSING:
                ctx.sendUpstream(e);
                break;
            default:
                collect(chunk);
                if (chunk.isLast()) {
                    Channels.fireMessageReceived(ctx, takeMessage(chunk), e.getRemoteAddress());
                }
        }
    }

    private void collect(HttpChunk chunk) throws TooLongFrameException {
        ChannelBuffer content = chunk.getContent();
        contentLength += content.readableBytes();
        if (contentLength > maxContentLength) {
            forget();
            state = chunk.isLast() ? State.BETWEEN_MESSAGES : State.DISCARDING;
            throw tooLong();
        }
        if (content.readable()) {
            appendToCumulation(content);
        }
    }

    private void checkLength(long length) throws TooLongFrameException {
        if (length > maxContentLength) {
            throw tooLong();
        }
    }

    private TooLongHttpMessageException tooLong() {
        return new TooLongHttpMessageException(
                "the content is longer than " + maxContentLength + " bytes",
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE);
    }

    /** Adds a piece to the content of the message being joined. */
    protected void appendToCumulation(ChannelBuffer input) {
        pieces.add(input);
        if (pieces.size() == maxCumulationBufferComponents) {
            copyPieces();
        }
    }

    /** Copies each byte at most once, so the cost is linear. */
    private void copyPieces() {
        if (copied == null) {
            copied = ChannelBuffers.dynamicBuffer((int) Math.min(2 * contentLength, maxContentLength));
        }
        for (ChannelBuffer piece : pieces) {
            copied.writeBytes(piece, piece.readerIndex(), piece.readableBytes());
        }
        pieces.clear();
    }

    private HttpMessage takeMessage(HttpChunk last) {
        HttpMessage whole = message;
        whole.setChunked(false);
        HttpHeaders.removeTransferEncodingChunked(whole);
        if (last instanceof HttpChunkTrailer) {
            addTrailers(whole, ((HttpChunkTrailer) last).trailingHeaders());
        }
        if (!whole.headers().contains(HttpHeaders.Names.TRANSFER_ENCODING)) {
            HttpHeaders.setContentLength(whole, contentLength);
        }
        if (copied != null) {
            copyPieces();
            whole.setContent(copied);
        } else {
            whole.setContent(ChannelBuffers.wrappedBuffer(pieces.toArray(new ChannelBuffer[0])));
        }
        forget();
        return whole;
    }

    private void addTrailers(HttpMessage whole, HttpHeaders trailers) {
        boolean kept = whole.trailingHeaders() != HttpHeaders.EMPTY_HEADERS;
        for (Map.Entry<String, String> trailer : trailers) {
            String name = trailer.getKey();
            if (TrailerHeaders.isProhibited(name)) {
                continue;
            }
            if (kept) {
                whole.trailingHeaders().add(name, trailer.getValue());
            }
            if (mergesAllTrailers || mergedTrailers.contains(name)) {
                whole.headers().add(name, trailer.getValue());
            }
        }
    }

    private void forget() {
        state = State.BETWEEN_MESSAGES;
        message = null;
        pieces.clear();
        copied = null;
        contentLength = 0;
        if (deferred != null) {
            deferred = null;
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        this.ctx = ctx;
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        this.ctx = null;
        forget();
    }
}
