package org.freshet.handler.codec.http;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.internal.ActsOn;
import org.freshet.internal.EventKind;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.handler.ReadDemand;
import org.freshet.internal.handler.ReadSuspension;

/**
 * Decodes received messages with a {@code Content-Encoding}. A subclass says which codings it supports.
 *
 * <p>A decoded message keeps only the {@code Content-Encoding} that is left; if that is {@code identity}, the header is
 * removed. {@code Content-Length} is set to the decoded length, or removed if the message is chunked.
 *
 * <p>Content that grows beyond {@link HttpLimits#maxInflatedBytes()} causes a {@link TooLongHttpMessageException} that
 * suggests 413. For gzip and deflate, the ratio is limited as well. Decoded pieces of 64 KiB are passed on as they are
 * produced, so the content of a chunked message is never in memory as a whole. While later handlers have suspended
 * reading, the next piece and everything received after it wait, including the end of the peer's output. Content that isn't valid in its
 * coding causes a {@link MalformedHttpMessageException}; for gzip and deflate, so do bytes after the end of the
 * compressed stream. The rest of such a message is discarded. It is also discarded if a handler closes the channel.
 *
 * <p>Threading: everything received is handled on the thread that delivers upstream events. An instance belongs to one pipeline.
 */
@ActsOn({EventKind.INTEREST_CHANGED, EventKind.DISCONNECTED, EventKind.UNBOUND, EventKind.CLOSED})
public abstract class HttpContentDecoder extends SimpleChannelUpstreamHandler
        implements ChannelDownstreamHandler, LifeCycleAwareChannelHandler {
    /** Determines what happens to the next chunk. */
    private enum State {
        PASSING,
        DECODING,
        /** The chunk belongs to a message that failed. */
        DISCARDING
    }

    /** How passing on a chunk's pieces ended. */
    private enum Progress {
        DONE,
        /** Reading was suspended; the remaining pieces wait. */
        SUSPENDED,
        /** A handler closed the channel, so the remaining pieces are discarded. */
        UNWANTED
    }

    private final HttpLimits limits;
    private volatile ReadDemand demand = new ReadDemand();
    private State state = State.PASSING;

    /** Decodes the message being received, in state {@link State#DECODING}. */
    private ContentInflater content;

    /** The chunk whose pieces are being passed on; null if no chunk is. */
    private MessageEvent current;

    /** Events received while the pieces of {@link #current} wait; null until the first. */
    private Queue<ChannelEvent> waiting;

    /** Whether an event is being handled. Events received meanwhile wait, too. */
    private boolean handling;

    /** Whether the connection is ending, so that nothing waits any more. */
    private boolean ending;

    /** Uses {@link HttpLimits#defaults()}. */
    protected HttpContentDecoder() {
        this(HttpLimits.defaults());
    }

    protected HttpContentDecoder(HttpLimits limits) {
        this.limits = limits;
    }

    /**
     * Creates the decoder for a message.
     *
     * @param contentEncoding the value from the message
     * @return null if the coding is not known, to leave the content unchanged
     */
    protected abstract DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) throws Exception;

    /** The coding that is left after this decoder has undone its own. By default {@code identity}. */
    protected String getTargetContentEncoding(String contentEncoding) throws Exception {
        return HttpHeaders.Values.IDENTITY;
    }

    final HttpLimits limits() {
        return limits;
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof MessageEvent || e instanceof InputShutdownEvent) {
            receive(ctx, e);
        } else if (e instanceof ChannelStateEvent change && isEnd(change)) {
            sendWaiting(ctx);
            super.handleUpstream(ctx, e);
        } else {
            super.handleUpstream(ctx, e);
            if (!handling && demand.mayContinue()) {
                resume(ctx);
            }
        }
    }

    /** Requests to suspend or resume reading are noted; everything passes. Any thread may call this. */
    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (ReadSuspension.isReadRequest(e)) {
            demand.request(ctx, (ChannelStateEvent) e);
        } else {
            ctx.sendDownstream(e);
        }
    }

    /** Whether the channel is no longer connected, bound or open. */
    private static boolean isEnd(ChannelStateEvent change) {
        return change.getValue() == null || Boolean.FALSE.equals(change.getValue());
    }

    private void receive(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (current != null || handling) {
            if (waiting == null) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(e);
            return;
        }
        try {
            handle(ctx, e);
        } finally {
            if (current == null) {
                resume(ctx);
            }
        }
    }

    private void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        handling = true;
        try {
            super.handleUpstream(ctx, e);
        } finally {
            handling = false;
        }
    }

    /**
     * Handles waiting events until reading is suspended again. A failure affects only its own event, not those after
     * it.
     */
    private void resume(ChannelHandlerContext ctx) {
        while (current != null || waiting != null && !waiting.isEmpty()) {
            try {
                if (current == null) {
                    handle(ctx, waiting.poll());
                } else {
                    resumeChunk(ctx);
                }
            } catch (Exception e) {
                Channels.fireExceptionCaught(ctx.getChannel(), e);
            }
            if (current != null) {
                return;
            }
        }
    }

    private void resumeChunk(ChannelHandlerContext ctx) throws Exception {
        handling = true;
        try {
            continueChunk(ctx);
        } finally {
            handling = false;
        }
    }

    private void sendWaiting(ChannelHandlerContext ctx) {
        if (handling) {
            waiting = null; // a handler closed the channel, so the rest is not wanted
            return;
        }
        ending = true;
        try {
            resume(ctx);
        } finally {
            ending = false;
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object received = e.getMessage();
        if (received instanceof HttpMessage) {
            startMessage((HttpMessage) received);
            ctx.sendUpstream(e);
        } else if (received instanceof HttpChunk && state != State.PASSING) {
            takeChunk(ctx, e, (HttpChunk) received);
        } else {
            ctx.sendUpstream(e);
        }
    }

    private void startMessage(HttpMessage message) throws Exception {
        abandon();
        boolean empty = !message.isChunked() && !message.getContent().readable();
        if (empty || !message.headers().contains(HttpHeaders.Names.CONTENT_ENCODING)) {
            return;
        }
        String coding = String.join(", ", message.headers().getAll(HttpHeaders.Names.CONTENT_ENCODING));
        DecoderEmbedder<ChannelBuffer> decoder = newContentDecoder(coding);
        if (decoder == null) {
            return;
        }
        ContentInflater started = new ContentInflater(decoder, limits);
        if (message.isChunked()) {
            message.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
            content = started;
            state = State.DECODING;
        } else {
            ChannelBuffer decoded = decodeAll(started, message.getContent());
            message.setContent(decoded);
            if (HttpHeaders.isContentLengthSet(message)) {
                HttpHeaders.setContentLength(message, decoded.readableBytes());
            }
        }
        String target = getTargetContentEncoding(coding);
        if (HttpHeaders.Values.IDENTITY.equalsIgnoreCase(target)) {
            message.headers().remove(HttpHeaders.Names.CONTENT_ENCODING);
        } else {
            message.headers().set(HttpHeaders.Names.CONTENT_ENCODING, target);
        }
    }

    private static ChannelBuffer decodeAll(ContentInflater inflater, ChannelBuffer encoded) throws Exception {
        ChannelBuffer decoded = ChannelBuffers.dynamicBuffer(encoded.readableBytes());
        try {
            inflater.feed(encoded);
            append(decoded, inflater);
            inflater.complete();
            append(decoded, inflater);
        } finally {
            inflater.abandon();
        }
        return decoded;
    }

    private static void append(ChannelBuffer decoded, ContentInflater inflater) throws Exception {
        for (ChannelBuffer piece = inflater.next(); piece != null; piece = inflater.next()) {
            decoded.writeBytes(piece);
        }
    }

    private void takeChunk(ChannelHandlerContext ctx, MessageEvent e, HttpChunk chunk) throws Exception {
        if (state == State.DISCARDING) {
            state = chunk.isLast() ? State.PASSING : State.DISCARDING;
            return;
        }
        current = e;
        boolean fed = false;
        try {
            if (chunk.isLast()) {
                content.complete();
            } else {
                content.feed(chunk.getContent());
            }
            fed = true;
        } finally {
            if (!fed) {
                endChunk(chunk, true);
            }
        }
        continueChunk(ctx);
    }

    private void continueChunk(ChannelHandlerContext ctx) throws Exception {
        MessageEvent e = current;
        HttpChunk chunk = (HttpChunk) e.getMessage();
        Progress progress = Progress.UNWANTED;
        try {
            progress = sendPieces(ctx, e);
        } finally {
            if (progress != Progress.SUSPENDED) {
                endChunk(chunk, progress != Progress.DONE);
            }
        }
        if (progress == Progress.DONE && chunk.isLast()) {
            ctx.sendUpstream(e);
        }
    }

    private void endChunk(HttpChunk chunk, boolean failed) {
        current = null;
        if (failed || chunk.isLast()) {
            abandon();
            state = failed && !chunk.isLast() ? State.DISCARDING : State.PASSING;
        }
    }

    private Progress sendPieces(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        boolean closing = PendingClose.isClosing(ctx.getChannel());
        for (ChannelBuffer piece = content.next(); piece != null; piece = content == null ? null : content.next()) {
            if (piece.readable()) {
                Channels.fireMessageReceived(ctx, new DefaultHttpChunk(piece), e.getRemoteAddress());
            }
            if (!closing && PendingClose.isClosing(ctx.getChannel())) {
                return Progress.UNWANTED;
            }
            if (content != null && !ending && demand.mustHold()) {
                return Progress.SUSPENDED;
            }
        }
        return Progress.DONE;
    }

    private void abandon() {
        ContentInflater unfinished = content;
        content = null;
        current = null;
        state = State.PASSING;
        if (unfinished != null) {
            unfinished.abandon();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        abandon();
        ctx.sendUpstream(e);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        demand = ReadDemand.at(ctx);
    }

    /** Passes on waiting events as they were received. */
    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        abandon();
        while (waiting != null && !waiting.isEmpty()) {
            ctx.sendUpstream(waiting.poll());
        }
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        abandon();
    }
}
