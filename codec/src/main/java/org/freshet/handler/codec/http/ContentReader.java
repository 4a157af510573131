package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.lending.Lending;

/**
 * Reads the content of messages: what is left of the present one, or of its present chunk, and how it is cut into pieces. Which
 * part of a message comes next is the decoder's concern.
 *
 * <p>Each method takes the buffer that is to be read, and {@code received}, which tells how many bytes of it are there. Belongs
 * to one decoder; made when a connection's first content comes.
 */
final class ContentReader {
    /** A piece of a read that fills less than one part in this many is copied, so as not to keep the read. */
    private static final int MAX_WASTE = 4;

    private final HeadRules rules;
    private final int maxChunkSize;
    private final int maxChunkLineBytes;
    private final ChunkLine chunkLine;

    /** Bytes of the content, or of the chunk, that were not read yet; of content until the connection closes, those that were. */
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

    /** Whether the content, or the chunk, was read to its end. */
    boolean isOver() {
        return bytes == 0;
    }

    /** All of the content; waits until it is there. */
    ChannelBuffer readWhole(ChannelBuffer buffer) {
        return buffer.readBytes((int) bytes);
    }

    /** What is there of the content, up to the size of a chunk. */
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

    /** Reads bytes that are there: a part of the read itself if that is not lent and it fills much of it, or else a copy. */
    static ChannelBuffer cut(ChannelBuffer buffer, ChannelBuffer received, int length) {
        boolean large = length >= received.capacity() / MAX_WASTE;
        return large && Lending.loanOf(received) == null ? buffer.readSlice(length) : buffer.readBytes(length);
    }

    // ---- chunks ----

    void startChunks() {
        chunkLine.startMessage();
    }

    /** Reads the line before a chunk, whose length is then what is left; returns whether the line was there. */
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

    /** The same bytes in an array, or the first of them if they must be copied for that. */
    static ChannelBuffer withArray(ChannelBuffer received, int max) {
        if (received.hasArray()) {
            return received;
        }
        byte[] first = new byte[Math.min(received.readableBytes(), max)];
        received.getBytes(received.readerIndex(), first);
        return ChannelBuffers.wrappedBuffer(first);
    }

    /** Whether the chunk is to be sent on in pieces. */
    boolean isLargeChunk() {
        return bytes > maxChunkSize;
    }

    /** All of a chunk; waits until it is there. */
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
