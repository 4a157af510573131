package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.UpstreamMessageEvent;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.handler.codec.replay.ReplayingDecoder;
import org.freshet.internal.lending.LentChannelBuffer;

/**
 * Decodes messages of HTTP/1, or of a protocol of the same form. A subclass says which kind of message it makes, and of
 * what.
 *
 * <h2>What is sent upstream</h2>
 *
 * <ul>
 * <li>A message without content, or whose content has a known length of at most {@code maxChunkSize}, as one {@link
 *     HttpMessage} with its content.
 * <li>Any other message, and one that expects {@code 100 Continue}, as an {@link HttpMessage} that {@linkplain
 *     HttpMessage#isChunked() is chunked}, then {@link HttpChunk}s, of which the last is empty: {@link
 *     HttpChunk#LAST_CHUNK}, or an {@link HttpChunkTrailer}. Content of known length, and content that lasts until the
 *     connection closes, comes in chunks of at most {@code maxChunkSize} bytes. A chunk on the wire comes whole if it is
 *     not longer than that, else in pieces as they are received.
 * <li>After {@code 101 Switching Protocols} has been decoded, what was received, as {@link ChannelBuffer}s.
 * </ul>
 *
 * <h2>What is refused</h2>
 *
 * What breaks the grammar, or could be taken for two different messages, is a {@link MalformedHttpMessageException}; what is
 * larger than {@link HttpLimits} allow is a {@link TooLongHttpMessageException}. Both carry the status to answer, and after
 * either nothing that the connection brings is decoded: it is dropped. The same holds for what follows a message whose
 * {@code Connection} says {@code close}, which in a response is an error, and a request of HTTP/1.0 without {@code
 * keep-alive}.
 *
 * <h2>The end of the connection</h2>
 *
 * ends a response without a length, if the peer ended it in order. If it was reset, failed, timed out, or was a TLS connection that
 * ended without close_notify, the response may be cut off: its last chunk never comes, and a {@link
 * PrematureChannelClosureException} is caught. Any other message that was not whole is not sent on, or its last chunk never
 * comes.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
public abstract class HttpMessageDecoder extends ReplayingDecoder<HttpMessageDecoder.State> {
    /** What is decoded next. A subclass may look at it in {@code decode}, and has no reason to change it. */
    protected enum State {
        SKIP_CONTROL_CHARS,
        READ_INITIAL,
        READ_HEADER,
        READ_VARIABLE_LENGTH_CONTENT,
        READ_VARIABLE_LENGTH_CONTENT_AS_CHUNKS,
        READ_FIXED_LENGTH_CONTENT,
        READ_FIXED_LENGTH_CONTENT_AS_CHUNKS,
        READ_CHUNK_SIZE,
        READ_CHUNKED_CONTENT,
        READ_CHUNKED_CONTENT_AS_CHUNKS,
        READ_CHUNK_DELIMITER,
        READ_CHUNK_FOOTER,
        UPGRADED
    }

    /** Whether anything more of the connection is decoded. */
    private enum Rest {
        DECODED,
        /** The message being decoded is the last. */
        DROPPED_AFTER_MESSAGE,
        /** The last message is over. */
        DROPPED,
        /** Something was refused. A subclass that sets another state does not change that. */
        FAILED
    }

    private final HttpLimits limits;

    /** Null until the first bytes come: a subclass must have been constructed to say what it decodes. */
    private HeadReader head;

    /** Null until a message comes that has content. */
    private ContentReader content;

    private Rest rest = Rest.DECODED;
    private HttpMessage message;

    /** With {@link HttpLimits#defaults()}. */
    protected HttpMessageDecoder() {
        this(HttpLimits.defaults());
    }

    /**
     * With {@link HttpLimits#defaults()} but for these three.
     *
     * @param maxInitialLineLength see {@link HttpLimits#maxInitialLineLength()}
     * @param maxHeaderSize see {@link HttpLimits#maxHeaderSize()}
     * @param maxChunkSize see {@link HttpLimits#maxChunkSize()}
     * @throws IllegalArgumentException if one of them is not positive
     */
    protected HttpMessageDecoder(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        this(LimitSets.defaultsWith(maxInitialLineLength, maxHeaderSize, maxChunkSize));
    }

    protected HttpMessageDecoder(HttpLimits limits) {
        super(State.SKIP_CONTROL_CHARS, true);
        this.limits = limits;
    }

    // ---- what subclasses say ----

    /** Whether messages are requests. Asked once, before the first is decoded. */
    protected abstract boolean isDecodingRequest();

    /**
     * Makes the message whose start line was read. Its headers are added afterwards; those of a {@link DefaultHttpHeaders}
     * cost least, and {@link DefaultHttpRequest} and {@link DefaultHttpResponse} take others when they are made.
     *
     * @param initialLine the three parts of the line: method, target and version, or version, code and reason phrase
     * @throws IllegalArgumentException if a part is not valid; counts as a malformed message
     */
    protected abstract HttpMessage createMessage(String[] initialLine) throws Exception;

    /**
     * Whether the message has no content whatever its headers say. Asked once a message, in order.
     *
     * @return by default, true of a response with status 1xx (but not 101), 204, 205 or 304
     */
    protected boolean isContentAlwaysEmpty(HttpMessage msg) {
        if (msg instanceof DefaultHttpRequest || !(msg instanceof HttpResponse)) { // the class is told faster
            return false;
        }
        int code = ((HttpResponse) msg).getStatus().getCode();
        return code >= 100 && code < 200 ? code != 101 : code == 204 || code == 205 || code == 304;
    }

    /** Whether a start line that is not of HTTP/1 is refused. */
    boolean isHttpOnly() {
        return false;
    }

    /** Whether the next message may be decoded now; if not, its bytes are kept. */
    boolean mayStartMessage() {
        return true;
    }

    /** A head was decoded; its message is sent on next, or once it has its content. */
    void onHead(HttpMessage message, HeadFacts facts) {
        // For codecs that keep account of requests.
    }

    /** The message that {@link #onHead} announced is whole. */
    void onMessageEnd() {
        // For codecs that keep account of requests.
    }

    /** Whether a part of a head, or of the empty lines before it, has come. */
    final boolean isWithinHead() {
        State state = getState();
        boolean begun = state == State.READ_INITIAL || state == State.READ_HEADER;
        boolean kept = cumulation != null && cumulation.readable();
        return rest == Rest.DECODED && (begun || state == State.SKIP_CONTROL_CHARS && (kept || hasSkippedLines()));
    }

    private boolean hasSkippedLines() {
        return head != null && head.hasSkippedLines();
    }

    /** Whether nothing more is decoded because something was refused. */
    final boolean isFailed() {
        return rest == Rest.FAILED;
    }

    final HttpLimits limits() {
        return limits;
    }

    /** Decodes what is kept, now that {@link #mayStartMessage} may have another answer. */
    final void decodeKept(ChannelHandlerContext ctx) throws Exception {
        ChannelBuffer kept = cumulation;
        if (kept != null && kept.readable()) {
            cumulation = null;
            setState(getState());
            Channel channel = ctx.getChannel();
            messageReceived(ctx, new UpstreamMessageEvent(channel, kept, channel.getRemoteAddress()));
        }
    }

    /** What is received from here on is not HTTP, and passed on as it is. */
    final void upgrade() {
        rest = rest == Rest.FAILED ? rest : Rest.DECODED;
        setState(State.UPGRADED);
    }

    // ---- decoding ----

    /** Copies a small read once: its heads share the copy. Of a larger one, which is content for the most part, each piece is copied. */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (Channels.borrow(e) instanceof LentChannelBuffer read && read.readableBytes() <= HeadParser.MAX_KEPT_BYTES) {
            e.getMessage();
        }
        super.messageReceived(ctx, e);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (rest == Rest.DROPPED && !mayStartMessage()) {
            return replayWhenMoreArrives(); // whether what follows is dropped, or is not HTTP, depends on an answer
        }
        if (rest.compareTo(Rest.DROPPED) >= 0) {
            return drop(buffer);
        }
        if (head == null) {
            head = new HeadReader(this, limits.headRules(isDecodingRequest(), isHttpOnly()));
        }
        try {
            return decodeNext(buffer, state);
        } catch (Exception | VirtualMachineError | LinkageError | AssertionError failure) { // not the signal to replay
            rest = Rest.FAILED;
            message = null;
            buffer.skipBytes(received(buffer).readableBytes());
            throw failure;
        }
    }

    private Object drop(ChannelBuffer buffer) throws MalformedHttpMessageException {
        int length = received(buffer).readableBytes();
        buffer.skipBytes(length);
        if (length > 0 && rest == Rest.DROPPED && !head.rules.request) {
            rest = Rest.FAILED;
            throw head.rules.failures.malformed("bytes after a response that was the connection's last");
        }
        return null;
    }

    private Object decodeNext(ChannelBuffer buffer, State state) throws Exception {
        switch (state) {
            case SKIP_CONTROL_CHARS:
                if (!mayStartMessage()) {
                    return replayWhenMoreArrives();
                }
                if (getState() == State.UPGRADED) {
                    return readRaw(buffer);
                }
                return startHead(buffer);
            case READ_INITIAL:
            case READ_HEADER:
                return readHead(buffer);
            case READ_FIXED_LENGTH_CONTENT:
                return readContent(buffer);
            case READ_FIXED_LENGTH_CONTENT_AS_CHUNKS:
                return readPieceOfContent(buffer);
            case READ_VARIABLE_LENGTH_CONTENT:
            case READ_VARIABLE_LENGTH_CONTENT_AS_CHUNKS:
                return content.readPieceUntilClose(buffer, received(buffer));
            case READ_CHUNK_SIZE:
                return readChunkLine(buffer);
            case READ_CHUNKED_CONTENT:
                return readChunk(buffer);
            case READ_CHUNKED_CONTENT_AS_CHUNKS:
                return readPieceOfChunk(buffer);
            case READ_CHUNK_DELIMITER:
                content.readChunkEnd(buffer);
                checkpoint(State.READ_CHUNK_SIZE);
                return null;
            case READ_CHUNK_FOOTER:
                return readTrailer(buffer);
            default:
                return readRaw(buffer);
        }
    }

    private ChannelBuffer readRaw(ChannelBuffer buffer) {
        int length = received(buffer).readableBytes();
        if (length == 0) {
            return replayWhenMoreArrives();
        }
        return ContentReader.cut(buffer, received(buffer), length);
    }

    @Override
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        boolean untilClose = state == State.READ_VARIABLE_LENGTH_CONTENT_AS_CHUNKS && rest != Rest.FAILED;
        if (untilClose && !received(buffer).readable()) {
            requireOrderlyEnd(ctx);
            endMessage();
            return HttpChunk.LAST_CHUNK;
        }
        return super.decodeLast(ctx, channel, buffer, state);
    }

    private void requireOrderlyEnd(ChannelHandlerContext ctx) throws PrematureChannelClosureException {
        String cause = ConnectionEnd.cutOffBy(ctx);
        if (cause != null) {
            rest = Rest.FAILED;
            message = null;
            throw new PrematureChannelClosureException(
                    "a response that lasts until the connection closes was cut off: " + cause);
        }
    }

    /** What was really received: also what the replaying buffer does not tell. */
    private ChannelBuffer received(ChannelBuffer buffer) {
        return cumulation == null ? buffer : cumulation;
    }

    // ---- heads ----

    private Object startHead(ChannelBuffer buffer) throws Exception {
        boolean begins = head.skipEmptyLines(buffer, received(buffer));
        checkpoint();
        if (!begins) {
            return replayWhenMoreArrives();
        }
        head.startHead();
        checkpoint(State.READ_INITIAL);
        return readHead(buffer);
    }

    /** Returns the message if it can be sent on now. */
    private Object readHead(ChannelBuffer buffer) throws Exception {
        HttpMessage read = head.readHead(buffer, received(buffer));
        if (read == null) {
            return replayWhenMoreArrives();
        }
        MessageFraming.Body body = head.frame(read);
        if (head.isLast()) {
            rest = Rest.DROPPED_AFTER_MESSAGE;
        }
        message = read;
        onHead(read, head.facts());
        switch (body) {
            case NONE:
                endMessage();
                return read;
            case LENGTH:
                return startContent(buffer, head.facts().contentLength);
            case DRAFT76_REQUEST:
                return startContent(buffer, 8);
            case DRAFT76_RESPONSE:
                return startContent(buffer, 16);
            case CHUNKED:
                content().startChunks();
                return startPieces(State.READ_CHUNK_SIZE);
            default:
                content().startUntilClose();
                return startPieces(State.READ_VARIABLE_LENGTH_CONTENT_AS_CHUNKS);
        }
    }

    private void endMessage() {
        boolean switched = message != null && head.isSwitchingProtocols();
        message = null;
        head.forget();
        if (rest == Rest.DROPPED_AFTER_MESSAGE && !switched) {
            rest = Rest.DROPPED;
        }
        checkpoint(switched ? State.UPGRADED : State.SKIP_CONTROL_CHARS);
        onMessageEnd();
    }

    // ---- content of a known length, and content until the connection closes ----

    private ContentReader content() {
        if (content == null) {
            content = new ContentReader(head.rules, limits);
        }
        return content;
    }

    private Object startContent(ChannelBuffer buffer, long length) throws Exception {
        content().startLength(length);
        if (length > limits.maxChunkSize() || head.expectsContinue()) {
            return startPieces(State.READ_FIXED_LENGTH_CONTENT_AS_CHUNKS);
        }
        checkpoint(State.READ_FIXED_LENGTH_CONTENT);
        return readContent(buffer);
    }

    private HttpMessage startPieces(State next) {
        checkpoint(next);
        message.setChunked(true);
        return message;
    }

    private Object readContent(ChannelBuffer buffer) {
        HttpMessage whole = message;
        whole.setContent(content.readWhole(buffer));
        endMessage();
        return whole;
    }

    private Object readPieceOfContent(ChannelBuffer buffer) {
        if (!received(buffer).readable()) {
            return replayWhenMoreArrives();
        }
        HttpChunk chunk = content.readPiece(buffer, received(buffer));
        if (!content.isOver()) {
            checkpoint();
            return chunk;
        }
        endMessage();
        return new Object[] {chunk, HttpChunk.LAST_CHUNK};
    }

    // ---- chunks ----

    private Object readChunkLine(ChannelBuffer buffer) throws Exception {
        if (!content.readChunkLine(buffer, received(buffer))) {
            return replayWhenMoreArrives();
        }
        if (content.isOver()) {
            head.startTrailer();
            checkpoint(State.READ_CHUNK_FOOTER);
            return readTrailer(buffer);
        }
        if (content.isLargeChunk()) {
            checkpoint(State.READ_CHUNKED_CONTENT_AS_CHUNKS);
            return readPieceOfChunk(buffer);
        }
        checkpoint(State.READ_CHUNKED_CONTENT);
        return readChunk(buffer);
    }

    private Object readChunk(ChannelBuffer buffer) {
        HttpChunk chunk = content.readChunk(buffer, received(buffer));
        checkpoint(State.READ_CHUNK_DELIMITER);
        return chunk;
    }

    private Object readPieceOfChunk(ChannelBuffer buffer) {
        if (!received(buffer).readable()) {
            return replayWhenMoreArrives();
        }
        HttpChunk chunk = content.readPieceOfChunk(buffer, received(buffer));
        checkpoint(content.isOver() ? State.READ_CHUNK_DELIMITER : State.READ_CHUNKED_CONTENT_AS_CHUNKS);
        return chunk;
    }

    private Object readTrailer(ChannelBuffer buffer) throws Exception {
        HttpChunkTrailer trailer = head.readTrailer(buffer, received(buffer));
        if (trailer == null) {
            return replayWhenMoreArrives();
        }
        endMessage();
        return trailer;
    }
}
