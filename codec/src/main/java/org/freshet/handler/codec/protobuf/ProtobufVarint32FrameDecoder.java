package org.freshet.handler.codec.protobuf;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.TooLongFrameException;

/**
 * Cuts a stream into frames that begin with their length as a base 128 varint. The length is stripped. Reads the format
 * of protobuf's {@code writeDelimitedTo}.
 *
 * <pre>
 * LENGTH ---- too long ----&gt; DISCARDING ---- its end ----&gt; LENGTH
 *        ---- no length ---&gt; CORRUPT (final)
 * </pre>
 *
 * <p>A frame longer than {@code maxFrameLength} is reported immediately as one {@link TooLongFrameException} and
 * skipped; decoding continues after it. A varint of more than 5 bytes, or more than 31 bits, causes a
 * {@link CorruptedFrameException}. The start of the next frame is then unknown, so all further input is discarded.
 * Close the channel.
 */
@ChannelHandler.Borrower
public class ProtobufVarint32FrameDecoder extends FrameDecoder {
    /** 64 MiB: for a long time protobuf's own limit for a message. */
    private static final int DEFAULT_MAX_FRAME_LENGTH = 64 << 20;

    private static final int MAX_VARINT_BYTES = 5;
    private static final int INCOMPLETE = -1;

    private enum State {
        LENGTH,
        DISCARDING,
        CORRUPT
    }

    private final int maxFrameLength;
    private State state = State.LENGTH;

    /** Number of bytes of a too long frame still to come. */
    private int bytesToDiscard;

    /** Accepts frames of up to 64 MiB. */
    public ProtobufVarint32FrameDecoder() {
        this(DEFAULT_MAX_FRAME_LENGTH);
    }

    /** @param maxFrameLength bytes without the length, 0 or more */
    public ProtobufVarint32FrameDecoder(int maxFrameLength) {
        if (maxFrameLength < 0) {
            throw new IllegalArgumentException("maxFrameLength < 0: " + maxFrameLength);
        }
        this.maxFrameLength = maxFrameLength;
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        state = State.LENGTH;
    }

    @Override
    protected void onBytesForgotten() {
        state = State.LENGTH;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        switch (state) {
            case LENGTH:
                return nextFrame(buffer);
            case DISCARDING:
                discard(buffer);
                return null;
            default:
                buffer.skipBytes(buffer.readableBytes());
                return null;
        }
    }

    private ChannelBuffer nextFrame(ChannelBuffer buffer) throws CorruptedFrameException, TooLongFrameException {
        int start = buffer.readerIndex();
        int length = readVarint(buffer);
        if (length > maxFrameLength) {
            state = State.DISCARDING;
            bytesToDiscard = length;
            throw new TooLongFrameException("frame length > " + maxFrameLength + ": " + length);
        }
        if (length == INCOMPLETE || buffer.readableBytes() < length) {
            int lengthBytes = buffer.readerIndex() - start;
            buffer.readerIndex(start);
            if (length != INCOMPLETE && length <= Integer.MAX_VALUE - lengthBytes) {
                expectFrame(lengthBytes + length, lengthBytes);
            }
            return null;
        }
        ChannelBuffer frame = extractFrame(buffer, buffer.readerIndex(), length);
        buffer.skipBytes(length);
        return frame;
    }

    private int readVarint(ChannelBuffer buffer) throws CorruptedFrameException {
        int available = Math.min(MAX_VARINT_BYTES, buffer.readableBytes());
        long value = 0;
        for (int i = 0; i < available; i++) {
            byte b = buffer.readByte();
            value |= (b & 0x7FL) << 7 * i;
            if (b >= 0) {
                return checkedLength(value);
            }
        }
        if (available == MAX_VARINT_BYTES) {
            throw corrupt("varint length > " + MAX_VARINT_BYTES + " bytes");
        }
        return INCOMPLETE;
    }

    private int checkedLength(long value) throws CorruptedFrameException {
        if (value > Integer.MAX_VALUE) {
            throw corrupt("frame length > " + Integer.MAX_VALUE + ": " + value);
        }
        return (int) value;
    }

    private CorruptedFrameException corrupt(String reason) {
        state = State.CORRUPT;
        return new CorruptedFrameException(reason);
    }

    private void discard(ChannelBuffer buffer) {
        int length = Math.min(bytesToDiscard, buffer.readableBytes());
        buffer.skipBytes(length);
        bytesToDiscard -= length;
        if (bytesToDiscard == 0) {
            state = State.LENGTH;
        }
    }
}
