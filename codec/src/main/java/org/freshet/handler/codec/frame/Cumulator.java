package org.freshet.handler.codec.frame;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;
import org.freshet.internal.lending.Lending;

/**
 * The received bytes of a decoder: which reads wait, whether a read is copied after the unread bytes or joined to them without a copy,
 * and which buffer is kept between two reads. The cumulation itself is a field of the decoder, which subclasses may see.
 *
 * <p>Bytes that {@code decode} has seen are never overwritten, so a frame may be a slice of the cumulation. Belongs to one
 * decoder, and to the thread that runs it.
 */
final class Cumulator {
    /** Reads of this size or more are joined; a composite buffer costs about as much as copying this many bytes. */
    private static final int MIN_JOINED_BYTES = 1024;

    /** A kept buffer in which less than one part in this many is unread is replaced by a smaller one. */
    private static final int MAX_WASTE = 4;

    /** Smaller buffers are not worth replacing. */
    static final int MIN_CAPACITY = 256;

    /** Bytes up to which a kept buffer is not replaced however few of its bytes are unread. */
    int maxCapacity;

    /** Of how many buffers a cumulation may consist before they are copied together. */
    int maxComponents = FrameDecoder.DEFAULT_MAX_COMPOSITEBUFFER_COMPONENTS;

    /** The cumulation if it was allocated for this decoder, so that it may be written to; null otherwise. */
    private ChannelBuffer writable;

    /** The last read if it ends the cumulation without having been copied into it; null otherwise. */
    private ChannelBuffer joinedRead;

    /** Where {@link #joinedRead} starts in the cumulation. */
    private int joinedReadStart;

    private final FrameCollector collector = new FrameCollector();

    /** What follows in a read of which a part completes the frame that is collected; null if nothing does. */
    private ChannelBuffer restOfRead;

    /** Reads that arrived while another one was being decoded, in order; null until there is one. */
    private Queue<ChannelBuffer> laterReads;

    // ---- reads ----

    /** @param read must not be lent */
    void takeLater(ChannelBuffer read) {
        if (laterReads == null) {
            laterReads = new ArrayDeque<>(2);
        }
        laterReads.add(read);
    }

    /** What to {@link #take} next, or null. */
    ChannelBuffer nextRead() {
        if (restOfRead != null) {
            ChannelBuffer rest = restOfRead;
            restOfRead = null;
            return rest;
        }
        return laterReads == null ? null : laterReads.poll();
    }

    /** How many bytes the read that was taken last has beyond the cumulation. */
    int restBytes() {
        return restOfRead == null ? 0 : restOfRead.readableBytes();
    }

    void forgetReads() {
        restOfRead = null;
        laterReads = null;
    }

    /** Makes a read the decoder's cumulation, or adds it to that if something is unread. */
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

    /** Call when the decoding of a read ends. */
    void endRead() {
        joinedRead = null;
    }

    /** Forgets the buffers of the cumulation: the cumulation has become another one. */
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

    /** Twice the size, so that a frame that arrives byte by byte costs time linear in its length. */
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

    /** See {@link FrameDecoder#expectFrame}; until the next {@link #expectNothing}. */
    void expect(int frameBytes, int strippedBytes) {
        collector.expect(frameBytes, strippedBytes);
    }

    void expectNothing() {
        collector.expectNothing();
    }

    /** A frame that was collected and need not be copied, or null. */
    ChannelBuffer collectedFrame(ChannelBuffer buffer, int index, int length) {
        return collector.take(buffer, index, length);
    }

    // ---- after decoding ----

    /**
     * Once the bytes before the joined read are decoded, that read alone is faster to decode than the composite.
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
     * Chooses what to keep until the next read. Nothing lent is kept.
     *
     * @return null if nothing is unread
     */
    ChannelBuffer trim(FrameDecoder decoder, ChannelBuffer rest) {
        int unread = rest.readableBytes();
        if (unread == 0) {
            reset();
            return null;
        }
        if (collector.isCollecting(rest)) {
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

    /** With room for as much again if the frame has spanned reads already, so that each byte is copied about twice at most. */
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
