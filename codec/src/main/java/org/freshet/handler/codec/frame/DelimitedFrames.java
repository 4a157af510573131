package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;

/**
 * The common part of the decoders of delimited frames: finds delimiters without searching a byte twice, and skips
 * frames that are too long.
 *
 * <pre>
 *              too long wherever the delimiter is
 * COLLECTING ---------------------------------------&gt; DISCARDING
 *            &lt;---------------------------------------
 *                       delimiter found
 * </pre>
 *
 * <p>Belongs to one decoder, and to the thread that runs it.
 */
final class DelimitedFrames {
    private enum State {
        COLLECTING,
        DISCARDING
    }

    private final DelimiterSearch search;
    private final int maxFrameLength;
    private final boolean stripDelimiter;
    private final boolean failFast;

    private State state = State.COLLECTING;

    /** Number of unread bytes already searched: no delimiter ends among them. */
    private int searchedBytes;

    /** Number of bytes of a too long frame skipped so far. */
    private long discardedBytes;

    DelimitedFrames(DelimiterSearch search, int maxFrameLength, boolean stripDelimiter, boolean failFast) {
        this.search = search;
        this.maxFrameLength = maxFrameLength;
        this.stripDelimiter = stripDelimiter;
        this.failFast = failFast;
    }

    /** Forgets the frame that has begun. */
    void reset() {
        state = State.COLLECTING;
        searchedBytes = 0;
        discardedBytes = 0;
    }

    /** Returns the next frame or null, with the contract of {@link FrameDecoder#decode}. */
    ChannelBuffer next(FrameDecoder decoder, ChannelBuffer buffer) throws TooLongFrameException {
        int start = buffer.readerIndex();
        int end = search.indexAfter(buffer, start, start + searchedBytes, buffer.writerIndex());
        if (end < 0) {
            searchedBytes = buffer.readableBytes();
            if (state == State.DISCARDING || isTooLong(buffer)) {
                discard(buffer);
            }
            return null;
        }
        searchedBytes = 0;
        int length = end - search.lengthEndingAt(buffer, start, end) - start;
        if (state == State.DISCARDING) {
            buffer.readerIndex(end);
            endDiscarding(length);
            return null;
        }
        if (length > maxFrameLength) {
            buffer.readerIndex(end);
            throw tooLong(length);
        }
        ChannelBuffer frame = decoder.extractFrame(buffer, start, stripDelimiter ? length : end - start);
        buffer.readerIndex(end);
        return frame;
    }

    /** Returns whether the frame is too long wherever its delimiter ends; the last bytes may be the start of one. */
    private boolean isTooLong(ChannelBuffer buffer) {
        int excessBytes = searchedBytes - maxFrameLength;
        return excessBytes > 0
                && excessBytes > search.lengthBegunAt(buffer, buffer.readerIndex(), buffer.writerIndex());
    }

    private void discard(ChannelBuffer buffer) throws TooLongFrameException {
        State before = state;
        state = State.DISCARDING;
        int kept = Math.min(search.maxLength() - 1, searchedBytes);
        discardedBytes += searchedBytes - kept;
        buffer.skipBytes(searchedBytes - kept);
        searchedBytes = kept;
        if (failFast && before == State.COLLECTING) {
            throw tooLong(0);
        }
    }

    private void endDiscarding(int lastBytes) throws TooLongFrameException {
        long length = discardedBytes + lastBytes;
        state = State.COLLECTING;
        discardedBytes = 0;
        if (!failFast) {
            throw tooLong(length);
        }
    }

    /**
     * With failFast, leaves out the length even if it is known, so the message does not depend on how the bytes arrive.
     */
    private TooLongFrameException tooLong(long length) {
        return new TooLongFrameException("frame length > " + maxFrameLength + (failFast ? "" : ": " + length));
    }
}
