package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
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
    private HeadRules rules;

    private HeadParser parser;

    /** Null until a message comes that has content. */
    private ContentReader content;

    private Rest rest = Rest.DECODED;
    private HttpMessage message;

    /** Bytes of empty lines before the message. */
    private int emptyLines;

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

    private void prepare() {
        rules = limits.headRules(isDecodingRequest(), isHttpOnly());
        parser = new HeadParser(rules);
    }

    // ---- what subclasses say ----

    /** Whether messages are requests. Asked once, before the first is decoded. */
    protected abstract boolean isDecodingRequest();

    /**
     * Makes the message whose start line was read. Its headers are added afterwards; those of a {@link DefaultHttpHeaders}
     * cost least.
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
        return rest == Rest.DECODED && (begun || state == State.SKIP_CONTROL_CHARS && (kept || emptyLines > 0));
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

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws Exception {
        if (rest == Rest.DROPPED && !mayStartMessage()) {
            return replayWhenMoreArrives(); // whether what follows is dropped, or is not HTTP, depends on an answer
        }
        if (rest.compareTo(Rest.DROPPED) >= 0) {
            return drop(buffer);
        }
        if (rules == null) {
            prepare();
        }
        try {
            return decodeNext(buffer, state);
        } catch (Exception failure) {
            rest = Rest.FAILED;
            message = null;
            buffer.skipBytes(received(buffer).readableBytes());
            throw failure;
        }
    }

    private Object drop(ChannelBuffer buffer) throws MalformedHttpMessageException {
        int length = received(buffer).readableBytes();
        buffer.skipBytes(length);
        if (length > 0 && rest == Rest.DROPPED && !rules.request) {
            rest = Rest.FAILED;
            throw malformed("bytes after a response that was the connection's last");
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
                skipEmptyLines(buffer);
                parser.startHead();
                checkpoint(State.READ_INITIAL);
                return readHead(buffer);
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

    private MalformedHttpMessageException malformed(String what) {
        return rules.failures.malformed(what);
    }

    // ---- heads ----

    private void skipEmptyLines(ChannelBuffer buffer) throws MalformedHttpMessageException {
        while (true) {
            byte first = buffer.getByte(buffer.readerIndex());
            if (first == '\r') {
                if (buffer.getByte(buffer.readerIndex() + 1) != '\n') {
                    throw malformed("a CR without LF before the start line");
                }
                skipEmptyLine(buffer, 2);
            } else if (first == '\n') {
                if (!rules.lfAllowed) {
                    throw malformed("an LF without CR before the start line");
                }
                skipEmptyLine(buffer, 1);
            } else {
                emptyLines = 0;
                return;
            }
        }
    }

    private void skipEmptyLine(ChannelBuffer buffer, int bytes) throws MalformedHttpMessageException {
        buffer.skipBytes(bytes);
        checkpoint();
        emptyLines += bytes;
        int max = rules.maxLineLength;
        if (emptyLines > max) {
            throw malformed("more than " + max + " bytes of empty lines before the start line");
        }
    }

    private Object readHead(ChannelBuffer buffer) throws Exception {
        ChannelBuffer head = ContentReader.withArray(received(buffer), rules.maxBytes());
        int start = head.arrayOffset() + head.readerIndex();
        int length = parser.parse(head.array(), start, start + head.readableBytes());
        if (length < 0) {
            return replayWhenMoreArrives();
        }
        HttpMessage parsed = newMessage();
        parser.moveTo(parsed.headers(), head.array(), start, !(head instanceof LentChannelBuffer));
        buffer.skipBytes(length);
        return startMessage(buffer, parsed);
    }

    private HttpMessage newMessage() throws Exception {
        StartLine line = parser.startLine;
        try {
            return createMessage(new String[] {line.first, line.second, line.third});
        } catch (IllegalArgumentException e) {
            MalformedHttpMessageException failure = malformed("a start line that is not valid: " + e.getMessage());
            failure.initCause(e);
            throw failure;
        }
    }

    /** Decides how the message is framed, and returns it if it can be sent on now. */
    private Object startMessage(ChannelBuffer buffer, HttpMessage parsed) throws Exception {
        HeadFacts facts = parser.facts;
        StartLine line = parser.startLine;
        boolean alwaysEmpty = isContentAlwaysEmpty(parsed);
        MessageFraming.Body body = rules.request
                ? rules.framing.ofRequest(facts, line.first, line.third, alwaysEmpty)
                : rules.framing.ofResponse(facts, line.second, line.first, alwaysEmpty);
        dropContradictions(parsed, facts, body, alwaysEmpty);
        message = parsed;
        onHead(parsed, facts);
        switch (body) {
            case NONE:
                endMessage();
                return parsed;
            case LENGTH:
                return startContent(buffer, facts.contentLength);
            case DRAFT76_REQUEST:
                return startContent(buffer, 8);
            case DRAFT76_RESPONSE:
                parsed.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING);
                return startContent(buffer, 16);
            case CHUNKED:
                content().startChunks();
                return startPieces(State.READ_CHUNK_SIZE);
            default:
                rest = Rest.DROPPED_AFTER_MESSAGE;
                content().startUntilClose();
                return startPieces(State.READ_VARIABLE_LENGTH_CONTENT_AS_CHUNKS);
        }
    }

    /** Handlers must not find headers that were not what framed the message. */
    private void dropContradictions(
            HttpMessage parsed, HeadFacts facts, MessageFraming.Body body, boolean alwaysEmpty) {
        boolean coded = facts.coding != HeadFacts.Coding.NONE;
        if (coded && facts.contentLength >= 0 && !alwaysEmpty) {
            parsed.headers().remove(HttpHeaders.Names.CONTENT_LENGTH);
            rest = Rest.DROPPED_AFTER_MESSAGE;
        }
        if (coded && body == MessageFraming.Body.NONE) {
            parsed.headers().remove(HttpHeaders.Names.TRANSFER_ENCODING); // it would say that chunks follow
        }
        if (facts.close() || rules.request && rules.httpOnly && !facts.keepAlive() && !isVersion11()) {
            rest = Rest.DROPPED_AFTER_MESSAGE;
        }
    }

    private void endMessage() {
        boolean switched = !rules.request && message != null && isSwitchingProtocols();
        message = null;
        parser.startLine.reset(); // an idle connection keeps nothing of its last message
        if (rest == Rest.DROPPED_AFTER_MESSAGE && !switched) {
            rest = Rest.DROPPED;
        }
        checkpoint(switched ? State.UPGRADED : State.SKIP_CONTROL_CHARS);
        onMessageEnd();
    }

    private boolean isSwitchingProtocols() {
        return "101".equals(parser.startLine.second);
    }

    // ---- content of a known length, and content until the connection closes ----

    private ContentReader content() {
        if (content == null) {
            content = new ContentReader(rules, limits);
        }
        return content;
    }

    private Object startContent(ChannelBuffer buffer, long length) throws Exception {
        content().startLength(length);
        if (length > limits.maxChunkSize() || rules.request && parser.facts.expectContinue() && isVersion11()) {
            return startPieces(State.READ_FIXED_LENGTH_CONTENT_AS_CHUNKS);
        }
        checkpoint(State.READ_FIXED_LENGTH_CONTENT);
        return readContent(buffer);
    }

    private boolean isVersion11() {
        return !parser.startLine.third.endsWith("/1.0");
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
            parser.startTrailer();
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
        ChannelBuffer section = ContentReader.withArray(received(buffer), rules.maxBytes());
        int start = section.arrayOffset() + section.readerIndex();
        int length = parser.parse(section.array(), start, start + section.readableBytes());
        if (length < 0) {
            return replayWhenMoreArrives();
        }
        HttpChunkTrailer trailer = parser.takeTrailer(section.array(), start);
        buffer.skipBytes(length);
        endMessage();
        return trailer;
    }
}
