package org.freshet.handler.codec.spdy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Decodes uncompressed header blocks. A name or value is kept until it is complete. Once a block's names and values exceed the
 * maximum, nothing is kept: the frame is marked as truncated, and the rest of the block is read and discarded.
 *
 * <pre>
 * COUNT --&gt; NAME_LENGTH --&gt; NAME --&gt; VALUE_LENGTH --&gt; VALUE --(the last)--&gt; COMPLETE
 *               ^                                      |
 *               +--------------------------------------+
 *
 * any --(invalid)--&gt; INVALID, where the rest of the block is discarded
 * </pre>
 */
public class SpdyHeaderBlockRawDecoder extends SpdyHeaderBlockDecoder {
    private enum State {
        COUNT,
        NAME_LENGTH,
        NAME,
        VALUE_LENGTH,
        VALUE,
        COMPLETE,
        INVALID
    }

    private static final int NUMBER_BYTES = 4;

    private final int maxHeaderSize;

    private State state = State.COUNT;

    /** Headers still to come. */
    private int missingHeaders;

    /** Total bytes of this block's names and values so far. */
    private long size;

    /** Bytes of the current name or value still to be read. */
    private int length;

    /** Null if it isn't kept. */
    private String name;

    /** The beginning of an incomplete item, or null. */
    private ChannelBuffer unread;

    /** @param maxHeaderSize the most bytes of all names and values of a block, 1 or more */
    public SpdyHeaderBlockRawDecoder(SpdyVersion spdyVersion, int maxHeaderSize) {
        Objects.requireNonNull(spdyVersion, "spdyVersion");
        if (maxHeaderSize <= 0) {
            throw new IllegalArgumentException("maxHeaderSize <= 0: " + maxHeaderSize);
        }
        this.maxHeaderSize = maxHeaderSize;
    }

    @Override
    protected void decode(ChannelBuffer headerBlock, SpdyHeadersFrame frame) throws Exception {
        ChannelBuffer block = headerBlock;
        if (unread != null) {
            unread.writeBytes(headerBlock);
            block = unread;
        }
        decodeHeaderBlock(block, frame);
        keepRest(block);
    }

    /** Copies an incomplete item into memory of its own. */
    private void keepRest(ChannelBuffer block) {
        if (!block.readable()) {
            unread = null;
        } else if (block == unread) {
            unread.discardReadBytes();
        } else {
            unread = ChannelBuffers.dynamicBuffer(block.readableBytes());
            unread.writeBytes(block);
        }
    }

    /**
     * Decodes complete items, and leaves the rest unread.
     *
     * @param headerBlock the next bytes of the block, uncompressed
     */
    protected void decodeHeaderBlock(ChannelBuffer headerBlock, SpdyHeadersFrame frame) throws Exception {
        boolean hasMore = true;
        while (hasMore && headerBlock.readable()) {
            hasMore = switch (state) {
                case COUNT -> readCount(headerBlock, frame);
                case NAME_LENGTH -> readLength(headerBlock, frame, State.NAME);
                case NAME -> readName(headerBlock, frame);
                case VALUE_LENGTH -> readLength(headerBlock, frame, State.VALUE);
                case VALUE -> readValue(headerBlock, frame);
                case COMPLETE -> invalid(frame); // nothing may follow
                case INVALID -> {
                    headerBlock.skipBytes(headerBlock.readableBytes());
                    yield false;
                }
            };
        }
    }

    // ---- each returns whether it made progress ----

    private boolean readCount(ChannelBuffer in, SpdyHeadersFrame frame) {
        if (in.readableBytes() < NUMBER_BYTES) {
            return false;
        }
        missingHeaders = in.readInt();
        if (missingHeaders < 0) {
            return invalid(frame);
        }
        state = missingHeaders == 0 ? State.COMPLETE : State.NAME_LENGTH;
        return true;
    }

    private boolean readLength(ChannelBuffer in, SpdyHeadersFrame frame, State next) {
        if (in.readableBytes() < NUMBER_BYTES) {
            return false;
        }
        length = in.readInt();
        if (length < 0 || length == 0 && next == State.NAME) {
            return invalid(frame);
        }
        size += length;
        if (size > maxHeaderSize) {
            frame.setTruncated();
            name = null;
        }
        state = next;
        return next == State.NAME || length > 0 || endValue(frame, "");
    }

    private boolean readName(ChannelBuffer in, SpdyHeadersFrame frame) {
        if (frame.isTruncated()) {
            return !skip(in) || enter(State.VALUE_LENGTH);
        }
        if (in.readableBytes() < length) {
            return false;
        }
        name = readText(in);
        return frame.headers().contains(name) ? invalid(frame) : enter(State.VALUE_LENGTH);
    }

    private boolean readValue(ChannelBuffer in, SpdyHeadersFrame frame) {
        if (frame.isTruncated()) {
            return !skip(in) || endValue(frame, null);
        }
        return in.readableBytes() >= length && endValue(frame, readText(in));
    }

    /** Returns whether the end of the current name or value was reached. */
    private boolean skip(ChannelBuffer in) {
        int skipped = Math.min(length, in.readableBytes());
        in.skipBytes(skipped);
        length -= skipped;
        return length == 0;
    }

    private String readText(ChannelBuffer in) {
        String text = in.toString(in.readerIndex(), length, UTF_8);
        in.skipBytes(length);
        return text;
    }

    private boolean endValue(SpdyHeadersFrame frame, String values) {
        if (values != null && name != null && !addValues(frame, values)) {
            return invalid(frame);
        }
        missingHeaders--;
        return enter(missingHeaders == 0 ? State.COMPLETE : State.NAME_LENGTH);
    }

    /** Returns false if the name or a value is not allowed: if there are several values, none may be empty. */
    private boolean addValues(SpdyHeadersFrame frame, String values) {
        String[] parts = values.split("\0", -1);
        for (String part : parts) {
            if (part.isEmpty() && parts.length > 1) {
                return false;
            }
        }
        try {
            for (String part : parts) {
                frame.headers().add(name, part);
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean enter(State next) {
        state = next;
        return true;
    }

    private boolean invalid(SpdyHeadersFrame frame) {
        frame.setInvalid();
        return enter(State.INVALID);
    }

    @Override
    protected void endHeaderBlock(SpdyHeadersFrame frame) {
        if (state != State.COMPLETE) {
            frame.setInvalid();
        }
        state = State.COUNT;
        size = 0;
        name = null;
        unread = null;
    }

    @Override
    protected void end() {
        unread = null;
    }
}
