package org.freshet.handler.codec.stomp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Decodes STOMP 1.0, 1.1 and 1.2 frames.
 *
 * <h2>Messages</h2>
 *
 * <p>A frame with at most {@code maxChunkSize} bytes of content becomes one {@link StompFrame}. Any other becomes a
 * {@linkplain StompFrame#isChunked() chunked} {@link StompFrame}, followed by {@link StompChunk}s of
 * {@code maxChunkSize} bytes, one that may be shorter, and {@link StompChunk#LAST}. Content ends after
 * {@code content-length} bytes or, without that header, at the first NUL. Line ends between frames are heart-beats:
 * they are dropped, but {@link StompHeartBeatHandler} notices them.
 *
 * <h2>Versions</h2>
 *
 * <p>The version is taken from the {@code CONNECTED} frame that this decoder receives or a {@link StompFrameEncoder} of
 * the same channel sends; until then it is 1.2. Lines end with LF; in 1.2, and in frames that open a connection, also
 * with CR LF. There, any other CR is refused; in 1.0 and 1.1 a CR belongs to the line. Escapes are undone according to
 * the version; frames that open a connection and 1.0 have none. A name ends at the first colon. Blanks belong to names
 * and values. Bytes that are not UTF-8 become U+FFFD.
 *
 * <h2>Errors</h2>
 *
 * <p>A violation of the grammar causes a {@link CorruptedFrameException}: an unknown command, a header without a name
 * or colon, a NUL in the head, an escape unknown to the version, a malformed {@code content-length}, content without a
 * NUL after it, or, in 1.1 and 1.2, content in a frame that must not have any. A frame that exceeds a limit causes a
 * {@link TooLongFrameException}. After either, nothing more is decoded on the connection. Answer with an {@code ERROR}
 * frame and close the channel.
 *
 * <p>If the connection ends in the middle of a frame, the frame is not sent upstream, or its last chunk is missing.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events. An instance belongs to one pipeline.
 */
@ChannelHandler.Borrower
public class StompFrameDecoder extends FrameDecoder {
    /** Default limit for a line of the head, in bytes without its end. */
    public static final int DEFAULT_MAX_LINE_LENGTH = 1024;

    /** Default limit for the header lines of a frame. */
    public static final int DEFAULT_MAX_HEADERS = 128;

    /** Default limit for the content in one message, in bytes. */
    public static final int DEFAULT_MAX_CHUNK_SIZE = 8192;

    /** Default limit for a frame's content, in bytes: 64 MiB. */
    public static final long DEFAULT_MAX_CONTENT_LENGTH = 64L << 20;

    private enum State {
        BETWEEN_FRAMES,
        HEADERS,
        /** The head has the length of the content, which comes with the frame. */
        COUNTED_CONTENT,
        COUNTED_CHUNKS,
        /** The content ends at a NUL, and comes with the frame if the NUL is near enough. */
        DELIMITED_CONTENT,
        DELIMITED_CHUNKS,
        /** Something was refused: the rest of the connection is dropped. */
        FAILED
    }

    private final int maxLineLength;
    private final int maxHeaders;
    private final int maxChunkSize;
    private final long maxContentLength;

    /** Null until the first bytes arrive. */
    private StompConnection connection;

    private State state = State.BETWEEN_FRAMES;

    /** The frame being decoded; null between frames. */
    private StompFrame frame;

    private HeaderText headerText;

    /** Whether a CR before the LF belongs to the line end. */
    private boolean crEndsLine;

    /**
     * For counted content, the bytes still to be sent upstream. For delimited content, the bytes that may still follow.
     */
    private long remaining;

    /** Number of unread bytes already searched for the end of a line or of content. */
    private int searched;

    /** Whether the last call sent the head of a chunked frame upstream; it may have read nothing for that. */
    private boolean startedChunks;

    /** Uses the default limits. */
    public StompFrameDecoder() {
        this(DEFAULT_MAX_LINE_LENGTH, DEFAULT_MAX_HEADERS, DEFAULT_MAX_CHUNK_SIZE, DEFAULT_MAX_CONTENT_LENGTH);
    }

    /**
     * @param maxLineLength bytes of a command or header line without its end, 1 or more; default {@value
     *     #DEFAULT_MAX_LINE_LENGTH}
     * @param maxHeaders header lines of a frame, 1 or more; default {@value #DEFAULT_MAX_HEADERS}
     * @param maxChunkSize bytes of content in one message, 1 or more; default {@value #DEFAULT_MAX_CHUNK_SIZE}
     * @param maxContentLength bytes of a frame's content, however it comes, 0 or more; default {@value
     *     #DEFAULT_MAX_CONTENT_LENGTH}
     */
    public StompFrameDecoder(int maxLineLength, int maxHeaders, int maxChunkSize, long maxContentLength) {
        if (maxLineLength <= 0) {
            throw new IllegalArgumentException("maxLineLength <= 0: " + maxLineLength);
        }
        if (maxHeaders <= 0) {
            throw new IllegalArgumentException("maxHeaders <= 0: " + maxHeaders);
        }
        if (maxChunkSize <= 0) {
            throw new IllegalArgumentException("maxChunkSize <= 0: " + maxChunkSize);
        }
        if (maxContentLength < 0) {
            throw new IllegalArgumentException("maxContentLength < 0: " + maxContentLength);
        }
        this.maxLineLength = maxLineLength;
        this.maxHeaders = maxHeaders;
        this.maxChunkSize = maxChunkSize;
        this.maxContentLength = maxContentLength;
    }

    /**
     * Counts activity before and after, because a peer is not silent while the handlers above are busy with its frames.
     */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (connection == null) {
            connection = StompConnection.of(ctx.getChannel());
        }
        connection.onActivity();
        super.messageReceived(ctx, e);
        connection.onActivity();
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        connection = null;
        reset();
    }

    @Override
    protected void onBytesForgotten() {
        reset();
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        startedChunks = false;
        try {
            return decodeNext(buffer);
        } catch (Exception failure) {
            state = State.FAILED;
            frame = null;
            buffer.skipBytes(buffer.readableBytes());
            throw failure;
        }
    }

    @Override
    protected boolean madeProgress(ChannelBuffer buffer, int start) {
        return startedChunks || super.madeProgress(buffer, start);
    }

    private Object decodeNext(ChannelBuffer buffer) throws Exception {
        switch (state) {
            case BETWEEN_FRAMES:
                return startFrame(buffer);
            case HEADERS:
                return readHeaders(buffer);
            case COUNTED_CONTENT:
                return readCountedContent(buffer);
            case COUNTED_CHUNKS:
                return readCountedChunk(buffer);
            case DELIMITED_CONTENT:
                return readDelimitedContent(buffer);
            case DELIMITED_CHUNKS:
                return readDelimitedChunk(buffer);
            default:
                buffer.skipBytes(buffer.readableBytes());
                return null;
        }
    }

    // ---- heads ----

    private StompFrame startFrame(ChannelBuffer buffer) throws Exception {
        skipHeartBeats(buffer);
        if (!buffer.readable() || buffer.getByte(buffer.readerIndex()) == '\r') {
            return null; // the LF after the CR may still arrive
        }
        int lineLength = lineLength(buffer);
        if (lineLength < 0) {
            return null;
        }
        readCommand(buffer, lineLength);
        return readHeaders(buffer);
    }

    private static void skipHeartBeats(ChannelBuffer buffer) throws CorruptedFrameException {
        int start = buffer.readerIndex();
        int end = buffer.writerIndex();
        int at = start;
        while (at < end) {
            byte b = buffer.getByte(at);
            if (b == '\r' && at + 1 < end) {
                if (buffer.getByte(at + 1) != '\n') {
                    throw new CorruptedFrameException("CR without LF between frames");
                }
                at += 2;
            } else if (b == '\n') {
                at++;
            } else {
                break;
            }
        }
        buffer.skipBytes(at - start);
    }

    /** Returns the number of bytes before the next LF, or -1 if it has not arrived. */
    private int lineLength(ChannelBuffer buffer) throws TooLongFrameException {
        int start = buffer.readerIndex();
        int available = buffer.readableBytes();
        int longest = maxLineLength + 1; // including a CR
        int searchEnd = start + (int) Math.min(available, longest + 1L);
        int lf = buffer.indexOf(start + searched, searchEnd, (byte) '\n');
        if (lf >= 0) {
            searched = 0;
            return lf - start;
        }
        if (available > longest) {
            throw lineTooLong();
        }
        searched = available;
        return -1;
    }

    private TooLongFrameException lineTooLong() {
        return new TooLongFrameException("a line of a frame's head is longer than " + maxLineLength + " bytes");
    }

    private void readCommand(ChannelBuffer buffer, int lineLength) throws Exception {
        byte[] array = arrayOf(buffer, lineLength);
        int start = startIn(buffer);
        StompVersion version = connection.version();
        boolean cr = lineLength > 0 && array[start + lineLength - 1] == '\r';
        StompCommand command = StompCommand.of(array, start, cr ? lineLength - 1 : lineLength);
        if (command == null || cr && !command.opensConnection() && version != StompVersion.V1_2) {
            throw lineLength > maxLineLength && !cr ? lineTooLong() : unknownCommand(array, start, lineLength);
        }
        crEndsLine = command.opensConnection() || version == StompVersion.V1_2;
        headerText = HeaderText.of(command, version);
        frame = new StompFrame(command);
        state = State.HEADERS;
        buffer.skipBytes(lineLength + 1);
    }

    private static CorruptedFrameException unknownCommand(byte[] array, int start, int length) {
        StringBuilder shown = new StringBuilder();
        for (int i = start; i < start + Math.min(length, 32); i++) {
            shown.append(array[i] > ' ' && array[i] < 127 ? (char) array[i] : '?');
        }
        return new CorruptedFrameException("unknown command: " + shown);
    }

    /** Returns the frame if it can be sent upstream now. */
    private StompFrame readHeaders(ChannelBuffer buffer) throws Exception {
        while (true) {
            int length = lineLength(buffer);
            if (length < 0) {
                return null;
            }
            byte[] array = arrayOf(buffer, length);
            int start = startIn(buffer);
            int end = endOfText(array, start, start + length);
            buffer.skipBytes(length + 1);
            if (end == start) {
                return startContent(buffer);
            }
            readHeader(array, start, end);
        }
    }

    private int endOfText(byte[] array, int start, int lineEnd) throws TooLongFrameException {
        int end = crEndsLine && lineEnd > start && array[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
        if (end - start > maxLineLength) {
            throw lineTooLong();
        }
        return end;
    }

    private void readHeader(byte[] array, int start, int end) throws Exception {
        if (frame.headers().size() == maxHeaders) {
            throw new TooLongFrameException("a " + frame.command() + " frame has more than " + maxHeaders + " headers");
        }
        int colon = -1;
        for (int i = start; i < end; i++) {
            byte b = array[i];
            if (b == ':' && colon < 0) {
                colon = i;
            } else if (b == 0 || b == '\r' && crEndsLine) {
                throw corrupted("a header with a " + (b == 0 ? "NUL" : "CR"));
            }
        }
        if (colon < 0) {
            throw corrupted("a header line without a colon");
        }
        if (colon == start) {
            throw corrupted("a header with an empty name");
        }
        frame.headers().append(headerText.read(array, start, colon), headerText.read(array, colon + 1, end));
    }

    private CorruptedFrameException corrupted(String what) {
        return new CorruptedFrameException("a " + frame.command() + " frame has " + what);
    }

    /** Returns an array that contains the next bytes, starting at {@link #startIn}. */
    private static byte[] arrayOf(ChannelBuffer buffer, int length) {
        if (buffer.hasArray()) {
            return buffer.array();
        }
        byte[] copy = new byte[length];
        buffer.getBytes(buffer.readerIndex(), copy);
        return copy;
    }

    private static int startIn(ChannelBuffer buffer) {
        return buffer.hasArray() ? buffer.arrayOffset() + buffer.readerIndex() : 0;
    }

    // ---- content ----

    private StompFrame startContent(ChannelBuffer buffer) throws Exception {
        if (frame.command() == StompCommand.CONNECTED) {
            connection.onConnected(frame.headers());
        }
        String length = frame.headers().get(StompHeaders.CONTENT_LENGTH);
        if (length == null) {
            remaining = maxContentLength;
            state = State.DELIMITED_CONTENT;
            return readDelimitedContent(buffer);
        }
        remaining = checkedLength(length);
        if (remaining > maxChunkSize) {
            return startChunks(State.COUNTED_CHUNKS);
        }
        state = State.COUNTED_CONTENT;
        return readCountedContent(buffer);
    }

    private long checkedLength(String text) throws Exception {
        long length = ContentLength.parse(text);
        if (length < 0) {
            throw corrupted("a malformed content-length");
        }
        if (length > maxContentLength) {
            throw contentTooLong();
        }
        if (length > 0) {
            checkMayHaveContent();
        }
        return length;
    }

    private void checkMayHaveContent() throws CorruptedFrameException {
        if (connection.version() != StompVersion.V1_0 && !frame.command().mayHaveContent()) {
            throw corrupted("content, which only SEND, MESSAGE and ERROR may have");
        }
    }

    private TooLongFrameException contentTooLong() {
        return new TooLongFrameException(
                "the content of a " + frame.command() + " frame is longer than " + maxContentLength + " bytes");
    }

    private StompFrame startChunks(State chunks) {
        state = chunks;
        startedChunks = true;
        return frame.setChunked(true);
    }

    private StompFrame readCountedContent(ChannelBuffer buffer) throws CorruptedFrameException {
        int length = (int) remaining;
        if (buffer.readableBytes() <= length) {
            return null;
        }
        checkNul(buffer, buffer.readerIndex() + length);
        return endFrame(buffer, length);
    }

    /** Reads the whole content of a frame, and the NUL after it. */
    private StompFrame endFrame(ChannelBuffer buffer, int length) {
        StompFrame whole = frame;
        if (length > 0) {
            whole.setContent(readPiece(buffer, length));
        }
        buffer.skipBytes(1);
        reset();
        return whole;
    }

    private void reset() {
        state = State.BETWEEN_FRAMES;
        frame = null;
        searched = 0;
    }

    private void checkNul(ChannelBuffer buffer, int index) throws CorruptedFrameException {
        if (buffer.getByte(index) != 0) {
            throw corrupted("no NUL after its content-length");
        }
    }

    private ChannelBuffer readPiece(ChannelBuffer buffer, int length) {
        ChannelBuffer piece = extractFrame(buffer, buffer.readerIndex(), length);
        buffer.skipBytes(length);
        return piece;
    }

    private StompChunk readCountedChunk(ChannelBuffer buffer) throws CorruptedFrameException {
        if (remaining == 0) {
            checkNul(buffer, buffer.readerIndex());
            return endChunks(buffer);
        }
        int length = (int) Math.min(remaining, maxChunkSize);
        if (buffer.readableBytes() < length) {
            return null;
        }
        remaining -= length;
        return new StompChunk(readPiece(buffer, length));
    }

    private StompChunk endChunks(ChannelBuffer buffer) {
        buffer.skipBytes(1);
        reset();
        return StompChunk.LAST;
    }

    private StompFrame readDelimitedContent(ChannelBuffer buffer) throws Exception {
        if (buffer.readable() && buffer.getByte(buffer.readerIndex()) != 0) {
            checkMayHaveContent();
        }
        int nul = findNul(buffer, Math.min(maxChunkSize, remaining) + 1);
        if (nul >= 0) {
            return endFrame(buffer, nul);
        }
        return searched > maxChunkSize ? startChunks(State.DELIMITED_CHUNKS) : null;
    }

    private StompChunk readDelimitedChunk(ChannelBuffer buffer) throws TooLongFrameException {
        int nul = findNul(buffer, Math.min(maxChunkSize, remaining + 1));
        if (nul == 0) {
            return endChunks(buffer);
        }
        if (nul < 0 && searched < maxChunkSize) {
            return null;
        }
        int length = nul < 0 ? maxChunkSize : nul;
        remaining -= length;
        searched = Math.max(0, searched - length);
        return new StompChunk(readPiece(buffer, length));
    }

    /**
     * Returns the number of bytes before the NUL that ends the content, if the NUL is among the next bytes; else -1,
     * and {@link #searched} is the number of bytes that have arrived.
     *
     * @param limit maximum number of bytes to search
     */
    private int findNul(ChannelBuffer buffer, long limit) throws TooLongFrameException {
        int start = buffer.readerIndex();
        int window = (int) Math.min(buffer.readableBytes(), limit);
        searched = Math.min(searched, window);
        int nul = buffer.indexOf(start + searched, start + window, (byte) 0);
        if (nul >= 0) {
            return nul - start;
        }
        if (window > remaining) {
            throw contentTooLong();
        }
        searched = window;
        return -1;
    }
}
