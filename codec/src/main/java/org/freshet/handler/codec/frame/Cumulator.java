package org.freshet.handler.codec.frame;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.internal.lending.Lending;

/**
 * Manages a decoder's received bytes: which reads wait, whether a read is copied after the unread bytes or joined
 * without a copy, and which buffer is kept between two reads. The cumulation itself is a field of the decoder, visible
 * to subclasses.
 *
 * <p>Bytes that {@code decode} has seen are never overwritten, so a frame may be a slice of the cumulation. Belongs to
 * one decoder, and to the thread that runs it.
 */
final class Cumulator {
    /** Reads of this size or more are joined; a composite buffer costs about as much as copying this many bytes. */
    private static final int MIN_JOINED_BYTES = 1024;

    /** A kept buffer is replaced by a smaller one if its unread bytes are less than one in this many. */
    private static final int MAX_WASTE = 4;

    /** Smaller buffers are not worth replacing. */
    static final int MIN_CAPACITY = 256;

    /** Kept buffers of up to this many bytes are never replaced, even if only few bytes are unread. */
    int maxCapacity;

    /** Number of buffers that a cumulation may consist of before they are copied together. */
    int maxComponents = FrameDecoder.DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS;

    /** The cumulation if it was allocated for this decoder and may be written to; null otherwise. */
    private ChannelBuffer writable;

    /** The last read if it was joined to the end of the cumulation without a copy; null otherwise. */
    private ChannelBuffer joinedRead;

    /** Where {@link #joinedRead} starts in the cumulation. */
    private int joinedReadStart;

    private final FrameCollector collector = new FrameCollector();

    /** The remainder of a read whose first part completes the collected frame; null if nothing remains. */
    private ChannelBuffer restOfRead;

    /** Reads that arrived while another one was being decoded, in order; null until needed. */
    private Queue<ChannelBuffer> laterReads;

    // ---- reads ----

    /** @param read must not be lent */
    void takeLater(ChannelBuffer read) {
        if (laterReads == null) {
            laterReads = new ArrayDeque<>(2);
        }
        laterReads.add(read);
    }

    /** Returns the read to {@link #take} next, or null. */
    ChannelBuffer nextRead() {
        if (restOfRead != null) {
            ChannelBuffer rest = restOfRead;
            restOfRead = null;
            return rest;
        }
        return laterReads == null ? null : laterReads.poll();
    }

    /** Number of bytes of the last taken read that are not in the cumulation. */
    int restBytes() {
        return restOfRead == null ? 0 : restOfRead.readableBytes();
    }

    void forgetReads() {
        restOfRead = null;
        laterReads = null;
    }

    /** Makes a read the decoder's cumulation, or adds it to the cumulation if something is unread. */
    void take(FrameDecoder decoder, ChannelBuffer read) {
        endRead();
        ChannelBuffer unread = decoder.cumulation;
        if (unread == null || !unread.readable()) {
            reset();
            decoder.cumulation = read;
        } else if (collector.isCollecting(unread)) {
            decoder.cumulation = collector.add(decoder, read);
            restOfRead = read.readable() ? read : null;
        } else {
            decoder.cumulation = decoder.appendToCumulation(read);
        }
    }

    /** Must be called when the decoding of a read ends. */
    void endRead() {
        joinedRead = null;
    }

    /** Forgets the buffers of the cumulation because another buffer has taken its place. */
    void reset() {
        writable = null;
        joinedRead = null;
        collector.forget();
    }

    /**
     * Appends a read to the unread bytes.
     *
     * @param unread the cumulation, with at least one readable byte
     * @param read at least one readable byte
     * @return the next cumulation
     */
    ChannelBuffer append(FrameDecoder decoder, ChannelBuffer unread, ChannelBuffer read) {
        int length = read.readableBytes();
        if (unread == writable && writable.writableBytes() >= length) {
            writable.writeBytes(read, read.readerIndex(), length);
            return writable;
        }
        return length >= MIN_JOINED_BYTES && canBeJoined(unread, read)
                ? join(unread, read)
                : copyTogether(decoder, unread, read);
    }

    private boolean canBeJoined(ChannelBuffer unread, ChannelBuffer read) {
        return read.order() == unread.order()
                && (!(unread instanceof CompositeChannelBuffer composite) || composite.numComponents() < maxComponents);
    }

    private ChannelBuffer join(ChannelBuffer unread, ChannelBuffer read) {
        joinedRead = read;
        joinedReadStart = unread.readableBytes();
        writable = null;
        return ChannelBuffers.wrappedBuffer(unread, read);
    }

    /** Doubles the size, so a frame that arrives byte by byte costs time linear in its length. */
    private ChannelBuffer copyTogether(FrameDecoder decoder, ChannelBuffer unread, ChannelBuffer read) {
        int kept = unread.readableBytes();
        int length = read.readableBytes();
        if (kept > Integer.MAX_VALUE - length) {
            throw new IllegalStateException("unread bytes > " + Integer.MAX_VALUE + ": " + ((long) kept + length));
        }
        int doubled = kept > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : kept * 2;
        ChannelBuffer grown = decoder.allocate(Math.max(kept + length, doubled));
        grown.writeBytes(unread, unread.readerIndex(), kept);
        grown.writeBytes(read, read.readerIndex(), length);
        writable = grown;
        return grown;
    }

    // ---- frames of known length ----

    /** Remembers the call of {@link FrameDecoder#expectFrame} until the next {@link #expectNothing}. */
    void expect(int frameBytes, int strippedBytes) {
        collector.expect(frameBytes, strippedBytes);
    }

    void expectNothing() {
        collector.expectNothing();
    }

    /** Returns a collected frame that need not be copied, or null. */
    ChannelBuffer collectedFrame(ChannelBuffer buffer, int index, int length) {
        return collector.take(buffer, index, length);
    }

    // ---- after decoding ----

    /**
     * Continues with the joined read alone once the bytes before it are decoded: it is faster to decode than the
     * composite.
     *
     * @param cumulation may be null
     * @return the cumulation to continue with
     */
    ChannelBuffer dropDecodedReads(ChannelBuffer cumulation) {
        if (joinedRead == null || cumulation == null || cumulation.readerIndex() < joinedReadStart) {
            return cumulation;
        }
        ChannelBuffer read = joinedRead;
        read.readerIndex(read.writerIndex() - cumulation.readableBytes());
        joinedRead = null;
        return read;
    }

    /**
     * Chooses the buffer to keep until the next read, never a lent one.
     *
     * @return null if nothing is unread
     */
    ChannelBuffer trim(FrameDecoder decoder, ChannelBuffer rest) {
        int unread = rest.readableBytes();
        if (unread == 0) {
            reset();
            return null;
        }
        if (collector.isCollecting(rest) || isBeingFilled(rest)) {
            return rest;
        }
        boolean lent = Lending.hasHappened() && Lending.loanOf(rest) != null;
        if (collector.isWorthwhile(rest, lent)) {
            writable = null;
            return collector.begin(decoder, rest);
        }
        if (lent) {
            return copyLent(decoder, rest);
        }
        int capacity = rest.capacity();
        if (capacity <= Math.max(MIN_CAPACITY, maxCapacity) || capacity / MAX_WASTE <= unread) {
            return rest;
        }
        return copy(decoder, rest, unread);
    }

    /** Whether the decoder allocated the buffer for these bytes, perhaps with room for more that are still to come. */
    private boolean isBeingFilled(ChannelBuffer rest) {
        return rest == writable && rest.readerIndex() == 0;
    }

    /** If the frame already spans reads, leaves room for as much again, so each byte is copied about twice at most. */
    private ChannelBuffer copyLent(FrameDecoder decoder, ChannelBuffer rest) {
        int unread = rest.readableBytes();
        boolean grows = rest instanceof CompositeChannelBuffer && unread <= Integer.MAX_VALUE / 2;
        return copy(decoder, rest, grows ? 2 * unread : unread);
    }

    private ChannelBuffer copy(FrameDecoder decoder, ChannelBuffer rest, int capacity) {
        writable = decoder.allocate(capacity);
        writable.writeBytes(rest, rest.readerIndex(), rest.readableBytes());
        return writable;
    }
}
