package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.lending.Lending;

/**
 * Reads the content of messages: keeps track of what is left of the current message or chunk, and cuts it into pieces.
 * The decoder decides which part of a message comes next.
 *
 * <p>Each method takes the buffer to read from, and {@code received}, which holds the bytes of it that have arrived.
 * Belongs to one decoder; created when a connection's first content arrives.
 */
final class ContentReader {
    /**
     * If a piece fills less than one part in this many of its read, it is copied, so that it doesn't retain the read.
     */
    private static final int MAX_WASTE = 4;

    private final HeadRules rules;
    private final int maxChunkSize;
    private final int maxChunkLineBytes;
    private final ChunkLine chunkLine;

    /**
     * Bytes of the content or chunk that are not read yet; for content until the connection closes, the bytes already
     * read.
     */
    private long bytes;

    ContentReader(HeadRules rules, HttpLimits limits) {
        this.rules = rules;
        maxChunkSize = limits.maxChunkSize();
        maxChunkLineBytes = (int) Math.min(Integer.MAX_VALUE, limits.maxChunkLineLength() + 2L);
        chunkLine = new ChunkLine(rules.request, limits);
    }

    // ---- content of a known length, and content until the connection closes ----

    void startLength(long length) {
        bytes = length;
    }

    void startUntilClose() {
        bytes = 0;
    }

    /** Whether the content or chunk has been read completely. */
    boolean isOver() {
        return bytes == 0;
    }

    /** The whole content; the decoder replays this until it has arrived. */
    ChannelBuffer readWhole(ChannelBuffer buffer) {
        return buffer.readBytes((int) bytes);
    }

    /** The content that has arrived, up to the size of a chunk. */
    HttpChunk readPiece(ChannelBuffer buffer, ChannelBuffer received) {
        return readPiece(buffer, received, maxChunkSize);
    }

    private HttpChunk readPiece(ChannelBuffer buffer, ChannelBuffer received, int maxBytes) {
        int length = (int) Math.min(bytes, Math.min(received.readableBytes(), maxBytes));
        bytes -= length;
        return new DefaultHttpChunk(cut(buffer, received, length));
    }

    HttpChunk readPieceUntilClose(ChannelBuffer buffer, ChannelBuffer received) throws TooLongHttpMessageException {
        int length = Math.min(received.readableBytes(), maxChunkSize);
        bytes += length;
        rules.framing.checkContentLength(bytes);
        return new DefaultHttpChunk(cut(buffer, received, length));
    }

    /**
     * Reads bytes that have arrived: a slice of the read if it isn't lent and the slice fills much of it, otherwise a
     * copy.
     */
    static ChannelBuffer cut(ChannelBuffer buffer, ChannelBuffer received, int length) {
        boolean large = length >= received.capacity() / MAX_WASTE;
        return large && Lending.loanOf(received) == null ? buffer.readSlice(length) : buffer.readBytes(length);
    }

    // ---- chunks ----

    void startChunks() {
        chunkLine.startMessage();
    }

    /**
     * Reads the line before a chunk and sets the bytes left to the chunk's size. Returns whether the line has arrived.
     */
    boolean readChunkLine(ChannelBuffer buffer, ChannelBuffer received) throws Exception {
        ChannelBuffer line = withArray(received, maxChunkLineBytes);
        int start = line.arrayOffset() + line.readerIndex();
        int length = chunkLine.parse(line.array(), start, start + line.readableBytes());
        if (length < 0) {
            return false;
        }
        rules.framing.checkContentLength(chunkLine.content());
        buffer.skipBytes(length);
        bytes = chunkLine.size();
        return true;
    }

    /** The same bytes in an array; only the first {@code max} if they must be copied. */
    static ChannelBuffer withArray(ChannelBuffer received, int max) {
        if (received.hasArray()) {
            return received;
        }
        byte[] first = new byte[Math.min(received.readableBytes(), max)];
        received.getBytes(received.readerIndex(), first);
        return ChannelBuffers.wrappedBuffer(first);
    }

    /** Whether the chunk will be passed on in pieces. */
    boolean isLargeChunk() {
        return bytes > maxChunkSize;
    }

    /** The whole chunk; the decoder replays this until it has arrived. */
    HttpChunk readChunk(ChannelBuffer buffer, ChannelBuffer received) {
        int length = (int) bytes;
        buffer.getByte(buffer.readerIndex() + length - 1);
        return new DefaultHttpChunk(cut(buffer, received, length));
    }

    HttpChunk readPieceOfChunk(ChannelBuffer buffer, ChannelBuffer received) {
        return readPiece(buffer, received, Integer.MAX_VALUE);
    }

    void readChunkEnd(ChannelBuffer buffer) throws MalformedHttpMessageException {
        int at = buffer.readerIndex();
        if (buffer.getByte(at) != '\r' || buffer.getByte(at + 1) != '\n') {
            throw rules.failures.malformed("a chunk that is not followed by CR LF");
        }
        buffer.skipBytes(2);
    }
}
