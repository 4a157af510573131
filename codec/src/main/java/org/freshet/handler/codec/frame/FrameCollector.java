package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * The bytes of one frame whose length is known and which no read has brought whole. They are copied once, to where the frame is handed
 * on from; what the frame's receiver does not get lies before them in a buffer of its own.
 *
 * <pre>
 *   | stripped |          body, as long as what is sent on           |
 *   |--- received ---------------------|------- missing -------------|   one frame
 * </pre>
 *
 * <p>Belongs to one decoder, and to the thread that runs it.
 */
final class FrameCollector {
    /** Shorter frames are cheaper to copy once more than to keep in two buffers. */
    private static final int MIN_DIVIDED_BYTES = 1024;

    /** How many times the received bytes are allocated before the others have come; up to twice that where it is all of the frame. */
    private static final int TRUST = 8;

    /** The length of the frame that the last decoding left; 0 if it did not tell. */
    private int frameBytes;

    private int strippedBytes;

    /** Shows the stripped bytes and the body; written to as bytes arrive. Null while no frame is collected. */
    private ChannelBuffer frame;

    /** Null where the frame is not divided, and once it was taken. */
    private ChannelBuffer body;

    /** Where it begins in the frame. */
    private int bodyStart;

    void expect(int frameBytes, int strippedBytes) {
        this.frameBytes = frameBytes;
        this.strippedBytes = strippedBytes;
    }

    void expectNothing() {
        frameBytes = 0;
    }

    /** Whether to collect the frame that begins with the unread bytes: if its length is known, and not to do so costs more. */
    boolean isWorthwhile(ChannelBuffer unread, boolean lent) {
        return frameBytes > unread.readableBytes() && (lent || frameBytes >= MIN_DIVIDED_BYTES);
    }

    /** Whether the frame that the buffer shows is collected here, and bytes of it are missing. */
    boolean isCollecting(ChannelBuffer buffer) {
        return buffer == frame && frameBytes > buffer.readableBytes();
    }

    /** Moves the unread bytes to a buffer of the frame's length or, if they are few, to a shorter one; returns it. */
    ChannelBuffer begin(FrameDecoder decoder, ChannelBuffer unread) {
        return move(decoder, unread, 0);
    }

    /** @param following how many bytes of the frame have come beside those */
    private ChannelBuffer move(FrameDecoder decoder, ChannelBuffer unread, int following) {
        int received = unread.readableBytes();
        int capacity = capacityFor(received, following);
        boolean divided = strippedBytes > 0 && strippedBytes < capacity && frameBytes >= MIN_DIVIDED_BYTES;
        body = divided ? full(decoder.allocateExactly(capacity - strippedBytes)) : null;
        bodyStart = strippedBytes;
        frame = divided
                ? ChannelBuffers.wrappedBuffer(full(decoder.allocateExactly(strippedBytes)), body)
                : decoder.allocateExactly(capacity);
        frame.clear();
        frame.writeBytes(unread, unread.readerIndex(), received);
        return frame;
    }

    /** All of the frame or at most half of it. What is left of a first read is kept as it is: the next one shows whether more comes. */
    private int capacityFor(int received, int following) {
        long trusted = Math.max(TRUST * ((long) received + following), Cumulator.MIN_CAPACITY);
        if (trusted > frameBytes / 2) {
            return frameBytes;
        }
        return following > 0 ? (int) trusted : Math.max(received, Cumulator.MIN_CAPACITY);
    }

    private static ChannelBuffer full(ChannelBuffer buffer) {
        buffer.writerIndex(buffer.capacity());
        return buffer;
    }

    /** Moves bytes of the frame from a read to its end; returns the buffer in which they are now. */
    ChannelBuffer add(FrameDecoder decoder, ChannelBuffer read) {
        int count = Math.min(frameBytes - frame.readableBytes(), read.readableBytes());
        if (count > frame.writableBytes()) {
            move(decoder, frame, count);
        }
        frame.writeBytes(read, count);
        return frame;
    }

    /** The body if it is what the range of the buffer shows, else null. Once: it then belongs to whoever gets it. */
    ChannelBuffer take(ChannelBuffer buffer, int index, int length) {
        if (body == null || buffer != frame || index != bodyStart || length != body.capacity()) {
            return null;
        }
        ChannelBuffer taken = body;
        body = null;
        return taken;
    }

    void forget() {
        frame = null;
        body = null;
        frameBytes = 0;
    }
}
