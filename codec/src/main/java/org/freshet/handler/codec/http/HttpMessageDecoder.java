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
 * Decodes messages of HTTP/1, or of a protocol with the same syntax. A subclass says which kind of messages it decodes,
 * and creates them.
 *
 * <h2>What is sent upstream</h2>
 *
 * <ul>
 * <li>A message without content, or with content of a known length up to {@code maxChunkSize}: one {@link HttpMessage}
 *     that includes the content.
 * <li>Any other message, and one that expects {@code 100 Continue}: an {@link HttpMessage} that
 *     {@linkplain HttpMessage#isChunked() is chunked}, followed by {@link HttpChunk}s. The last one is empty:
 *     {@link HttpChunk#LAST_CHUNK}, or an {@link HttpChunkTrailer}. Content of known length, and content that lasts
 *     until the connection closes, arrives in chunks of at most {@code maxChunkSize} bytes. A chunk on the wire is
 *     passed on whole if it isn't longer than that, otherwise in pieces as they are received.
 * <li>After {@code 101 Switching Protocols}: all received bytes, as {@link ChannelBuffer}s.
 * </ul>
 *
 * <h2>What is refused</h2>
 *
 * A message that breaks the grammar, or could be taken for two different messages, causes a
 * {@link MalformedHttpMessageException}. A message larger than {@link HttpLimits} allow causes a
 * {@link TooLongHttpMessageException}. Both carry the status to answer with, and from then on everything received is
 * dropped. Bytes are also dropped after a message that is the last of its connection: one with
 * {@code Connection: close}, or an HTTP/1.0 request without {@code keep-alive}. On the client side, such bytes are an
 * error.
 *
 * <h2>The end of the connection</h2>
 *
 * If the peer ended the connection properly, this also ends a response without a length. If the connection was
 * reset, failed or timed out, or TLS ended without close_notify, the response may be cut off: its last chunk is never
 * passed on, and a {@link PrematureChannelClosureException} is fired. Any other incomplete message is dropped, or its
 * last chunk is never passed on.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
public abstract class HttpMessageDecoder extends ReplayingDecoder<HttpMessageDecoder.State> {
    /** What is decoded next. A subclass may look at it in {@code decode}, but has no reason to change it. */
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

    /** Whether the rest of the connection is decoded. */
    private enum Rest {
        DECODED,
        /** The message being decoded is the last. */
        DROPPED_AFTER_MESSAGE,
        /** The last message is over. */
        DROPPED,
        /** Something was refused. A subclass can't change this by setting another state. */
        FAILED
    }

    private final HttpLimits limits;

    /** Null until the first bytes arrive: the subclass must be constructed before it can say what it decodes. */
    private HeadReader head;

    /** Null until the first message with content arrives. */
    private ContentReader content;

    private Rest rest = Rest.DECODED;
    private HttpMessage message;

    /** Uses {@link HttpLimits#defaults()}. */
    protected HttpMessageDecoder() {
        this(HttpLimits.defaults());
    }

    /**
     * Uses {@link HttpLimits#defaults()} except for these three.
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

    // ---- for subclasses ----

    /** Whether messages are requests. Called once, before the first message is decoded. */
    protected abstract boolean isDecodingRequest();

    /**
     * Creates the message for a start line. Its headers are added afterwards. That is fastest for a
     * {@link DefaultHttpHeaders}; to use another class, pass it to the constructor of {@link DefaultHttpRequest} or
     * {@link DefaultHttpResponse}.
     *
     * @param initialLine the three parts of the line: method, target and version, or version, code and reason phrase
     * @throws IllegalArgumentException if a part is not valid; treated as a malformed message
     */
    protected abstract HttpMessage createMessage(String[] initialLine) throws Exception;

    /** Calls {@link #createMessage}. Decoders of ours need neither the array nor another check of what was just parsed. */
    HttpMessage newMessage(String first, String second, String third) throws Exception {
        return createMessage(new String[] {first, second, third});
    }

    /**
     * Whether the message has no content, regardless of its headers. Called once per message, in order.
     *
     * @return by default, true for a response with status 1xx (except 101), 204, 205 or 304
     */
    protected boolean isContentAlwaysEmpty(HttpMessage msg) {
        if (msg instanceof DefaultHttpRequest || !(msg instanceof HttpResponse)) { // a class is checked faster
            return false;
        }
        int code = ((HttpResponse) msg).getStatus().getCode();
        return code >= 100 && code < 200 ? code != 101 : code == 204 || code == 205 || code == 304;
    }

    /** Whether a start line of another protocol than HTTP/1 is refused. */
    boolean isHttpOnly() {
        return false;
    }

    /** Whether the next message may be decoded now. If not, its bytes are kept. */
    boolean mayStartMessage() {
        return true;
    }

    /** A head was decoded. Its message is passed on next, or once it has its content. */
    void onHead(HttpMessage message, HeadFacts facts) {
        // For codecs that keep track of requests.
    }

    /** The message that {@link #onHead} announced is complete. */
    void onMessageEnd() {
        // For codecs that keep track of requests.
    }

    /** Whether part of a head, or of the empty lines before it, has arrived. */
    final boolean isWithinHead() {
        State state = getState();
        boolean begun = state == State.READ_INITIAL || state == State.READ_HEADER;
        boolean kept = cumulation != null && cumulation.readable();
        return rest == Rest.DECODED && (begun || state == State.SKIP_CONTROL_CHARS && (kept || hasSkippedLines()));
    }

    private boolean hasSkippedLines() {
        return head != null && head.hasSkippedLines();
    }

    /** Whether decoding has stopped because something was refused. */
    final boolean isFailed() {
        return rest == Rest.FAILED;
    }

    /** Decodes the bytes kept, now that {@link #mayStartMessage} may return true. */
    final void decodeKept(ChannelHandlerContext ctx) throws Exception {
        ChannelBuffer kept = cumulation;
        if (kept != null && kept.readable()) {
            cumulation = null;
            setState(getState());
            Channel channel = ctx.getChannel();
            messageReceived(ctx, new UpstreamMessageEvent(channel, kept, channel.getRemoteAddress()));
        }
    }

    /** Bytes received from here on are not HTTP, and are passed on unchanged. */
    final void upgrade() {
        rest = rest == Rest.FAILED ? rest : Rest.DECODED;
        setState(State.UPGRADED);
    }

    // ---- decoding ----

    /**
     * Copies a small read as a whole, so that its heads share the copy. A larger read is mostly content, and its pieces
     * are copied.
     */
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
            return replayWhenMoreArrives(); // the response decides whether what follows is dropped, or is not HTTP
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
            throw head.rules.failures.malformed("bytes after the last response of the connection");
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

    /** The bytes that have actually been received, which the replaying buffer does not reveal. */
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

    /** Returns the message if it can be passed on now. */
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
        boolean switched = head.isSwitchingProtocols();
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
