package org.freshet.handler.codec.http;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.internal.handler.PendingClose;

/**
 * Undoes the {@code Content-Encoding} of received messages. A subclass says which codings it knows.
 *
 * <p>A decoded message has the {@code Content-Encoding} that is left, and none if that is {@code identity}; its {@code
 * Content-Length} becomes that of the decoded content, or goes away if the message is chunked.
 *
 * <p>What becomes larger than {@link HttpLimits#maxInflatedBytes()} is a {@link TooLongHttpMessageException} that suggests
 * 413; for gzip and deflate the ratio is limited, too, and pieces of 64 KiB are sent on as they come, so that the content
 * never stands in memory whole if its message is chunked. While reading is suspended, the next piece and what was received behind
 * it wait, the end of the peer's output included. What is not of the coding is a {@link
 * MalformedHttpMessageException}; so are, for gzip and deflate, bytes after the end of the compressed stream. The rest of such a
 * message is discarded, also if a handler closes the channel.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline.
 */
public abstract class HttpContentDecoder extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** What happens to the next chunk. */
    private enum State {
        PASSING,
        DECODING,
        /** It belongs to a message that failed. */
        DISCARDING
    }

    /** How far the sending of a chunk's pieces has come. */
    private enum Progress {
        DONE,
        /** Reading was suspended; the pieces that are left wait. */
        SUSPENDED,
        /** A handler closed the channel and wants no more. */
        UNWANTED
    }

    private final HttpLimits limits;
    private State state = State.PASSING;

    /** Of the message being received, while {@link State#DECODING}. */
    private ContentInflater content;

    /** The chunk whose pieces are being sent on; null if there is none. */
    private MessageEvent current;

    /** What was received while the pieces of {@link #current} wait; null if there was never anything. */
    private Queue<ChannelEvent> waiting;

    /** Whether a message is being handled; what comes meanwhile waits, too. */
    private boolean handling;

    /** Whether the connection ends: nothing waits any more. */
    private boolean ending;

    /** With {@link HttpLimits#defaults()}. */
    protected HttpContentDecoder() {
        this(HttpLimits.defaults());
    }

    protected HttpContentDecoder(HttpLimits limits) {
        this.limits = limits;
    }

    /**
     * Makes the decoder of a message.
     *
     * @param contentEncoding as the message states it
     * @return null if the coding is not known: the content stays as it is
     */
    protected abstract DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) throws Exception;

    /** The coding that is left when the decoder has undone its own. By default {@code identity}. */
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
            if (current != null && !handling && ctx.getChannel().isReadable()) {
                resume(ctx);
            }
        }
    }

    private static boolean isEnd(ChannelStateEvent change) {
        return change.getState() == ChannelState.CONNECTED && change.getValue() == null
                || change.getState() == ChannelState.OPEN && Boolean.FALSE.equals(change.getValue());
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

    /** Handles what waits until reading is suspended again. A failure concerns what failed, not what waits behind it. */
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
            waiting = null; // a handler closed the channel and wants no more
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
            if (content != null && !ending && !ctx.getChannel().isReadable()) {
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

    /** Sends on what waits, as it was received. */
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
