package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Collects the bytes of one frame of known length that spans reads. The bytes are copied once, into the buffer that
 * will be handed on. Bytes to strip go to a separate buffer before it.
 *
 * <pre>
 *   | stripped |          body, as long as the frame sent on         |
 *   |--- received ---------------------|------- missing -------------|   one frame
 * </pre>
 *
 * <p>Belongs to one decoder, and to the thread that runs it.
 */
final class FrameCollector {
    /** Shorter frames are cheaper to copy once more than to keep in two buffers. */
    private static final int MIN_DIVIDED_BYTES = 1024;

    /**
     * Allocates up to this many times the received bytes before the others arrive; up to twice that if it completes the
     * frame.
     */
    private static final int TRUST = 8;

    /** Length of the frame that the last decoding left incomplete; 0 if unknown. */
    private int frameBytes;

    private int strippedBytes;

    /** Holds the stripped bytes and the body, and is written to as bytes arrive. Null while no frame is collected. */
    private ChannelBuffer frame;

    /** The part without the stripped bytes; null if the frame is in one buffer, or the body was taken. */
    private ChannelBuffer body;

    /** Where the body begins in the frame. */
    private int bodyStart;

    void expect(int frameBytes, int strippedBytes) {
        this.frameBytes = frameBytes;
        this.strippedBytes = strippedBytes;
    }

    void expectNothing() {
        frameBytes = 0;
    }

    /**
     * Returns whether to collect the frame that begins with the unread bytes: its length is known, and not collecting
     * it would cost more.
     */
    boolean isWorthwhile(ChannelBuffer unread, boolean lent) {
        return frameBytes > unread.readableBytes() && (lent || frameBytes >= MIN_DIVIDED_BYTES);
    }

    /** Returns whether the buffer is the frame being collected and bytes are still missing. */
    boolean isCollecting(ChannelBuffer buffer) {
        return buffer == frame && frameBytes > buffer.readableBytes();
    }

    /**
     * Moves the unread bytes to a buffer of the frame's length, or to a shorter one if only few have arrived; returns
     * that buffer.
     */
    ChannelBuffer begin(FrameDecoder decoder, ChannelBuffer unread) {
        return move(decoder, unread, 0);
    }

    /** @param following number of further bytes of the frame that have arrived */
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

    /**
     * Returns the whole frame's length, or at most half of it. The rest of a first read gets no spare room: the next
     * read shows whether more comes.
     */
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

    /** Moves bytes from a read to the end of the frame; returns the buffer that now holds the frame. */
    ChannelBuffer add(FrameDecoder decoder, ChannelBuffer read) {
        int count = Math.min(frameBytes - frame.readableBytes(), read.readableBytes());
        if (count > frame.writableBytes()) {
            move(decoder, frame, count);
        }
        frame.writeBytes(read, count);
        return frame;
    }

    /**
     * Returns the body if the range of the buffer is exactly the body, else null. Once: the caller owns it from then
     * on.
     */
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
