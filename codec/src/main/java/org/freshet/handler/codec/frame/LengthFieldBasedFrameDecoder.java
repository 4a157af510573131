package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into frames that say how long they are.
 *
 * <pre>
 *           lengthFieldOffset     lengthFieldLength       value + lengthAdjustment
 *         |---- header 1 ----|------ length field ------|-------------------------|   one frame
 *         |--- initialBytesToStrip ---|------------- the frame that is sent on ----|
 * </pre>
 *
 * The field is an unsigned number of 1, 2, 3 or 4 bytes, or a signed one of 8, in the byte order of the received buffers.
 * It counts the bytes that follow it; {@code lengthAdjustment} is added where it counts otherwise:
 *
 * <table>
 * <caption>A body of 12 bytes</caption>
 * <tr><th>protocol<th>offset, length<th>value<th>adjustment<th>strip<th>what is sent on
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>0<td>length, body
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>2<td>body
 * <tr><td>length counts itself, body<td>0, 2<td>14<td>-2<td>2<td>body
 * <tr><td>magic (2), length, body<td>2, 3<td>12<td>0<td>5<td>body
 * <tr><td>length, type (1) not counted, body<td>0, 3<td>12<td>1<td>3<td>type, body
 * <tr><td>magic (1), length of all, type (1), body<td>1, 2<td>16<td>-3<td>3<td>type, body
 * </table>
 *
 * <p>A frame longer than {@code maxFrameLength} is skipped, over as many reads as it takes, and reported as one {@link
 * TooLongFrameException} with its length: at its end, or on seeing its length if {@code failFast}. Decoding continues
 * after it. A length that cannot be (negative, overflowing, ending within the header or within what is to be stripped) is a
 * {@link CorruptedFrameException}; the header is skipped, or the frame if it is merely shorter than what is to be stripped.
 * What follows is then taken for the next frame, which hardly ever makes sense: close the channel.
 */
@ChannelHandler.Borrower
public class LengthFieldBasedFrameDecoder extends FrameDecoder {
    private final int maxFrameBytes;

    /** Bytes before the length field. */
    private final int fieldStart;

    private final int fieldBytes;

    /** Bytes up to and with the length field; the least that a frame can have. */
    private final int headerBytes;

    /** What is added to the field's value to get the length of a whole frame. */
    private final long valueToFrameBytes;

    private final int strippedBytes;
    private final boolean failFast;

    /** The too long frame that is being skipped, in bytes. */
    private long skippedFrameBytes;

    /** How much of it has not been received; 0 if no frame is being skipped. */
    private long bytesToSkip;

    /** Adjusts and strips nothing, and fails late. */
    public LengthFieldBasedFrameDecoder(int maxFrameLength, int lengthFieldOffset, int lengthFieldLength) {
        this(maxFrameLength, lengthFieldOffset, lengthFieldLength, 0, 0);
    }

    /** Fails late. */
    public LengthFieldBasedFrameDecoder(
            int maxFrameLength,
            int lengthFieldOffset,
            int lengthFieldLength,
            int lengthAdjustment,
            int initialBytesToStrip) {
        this(maxFrameLength, lengthFieldOffset, lengthFieldLength, lengthAdjustment, initialBytesToStrip, false);
    }

    /**
     * @param maxFrameLength bytes of a whole frame, header included; 1 or more, and enough for the length field
     * @param lengthFieldOffset bytes before the length field, 0 or more
     * @param lengthFieldLength bytes: 1, 2, 3, 4 or 8
     * @param lengthAdjustment what to add to the field's value to get the number of bytes that follow it
     * @param initialBytesToStrip bytes at the beginning of a frame that are not sent on, 0 or more
     * @param failFast whether a too long frame is reported before it is skipped
     */
    public LengthFieldBasedFrameDecoder(
            int maxFrameLength,
            int lengthFieldOffset,
            int lengthFieldLength,
            int lengthAdjustment,
            int initialBytesToStrip,
            boolean failFast) {
        if (maxFrameLength <= 0) {
            throw new IllegalArgumentException("maxFrameLength <= 0: " + maxFrameLength);
        }
        if (lengthFieldOffset < 0) {
            throw new IllegalArgumentException("lengthFieldOffset < 0: " + lengthFieldOffset);
        }
        LengthFields.checkLength(lengthFieldLength);
        if (initialBytesToStrip < 0) {
            throw new IllegalArgumentException("initialBytesToStrip < 0: " + initialBytesToStrip);
        }
        if (lengthFieldOffset > maxFrameLength - lengthFieldLength) {
            throw new IllegalArgumentException("lengthFieldOffset + lengthFieldLength > maxFrameLength: "
                    + lengthFieldOffset + " + " + lengthFieldLength + " > " + maxFrameLength);
        }
        maxFrameBytes = maxFrameLength;
        fieldStart = lengthFieldOffset;
        fieldBytes = lengthFieldLength;
        headerBytes = lengthFieldOffset + lengthFieldLength;
        valueToFrameBytes = (long) headerBytes + lengthAdjustment;
        strippedBytes = initialBytesToStrip;
        this.failFast = failFast;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        int received = buffer.readableBytes();
        if (bytesToSkip > 0) {
            skip(buffer);
        } else if (received >= headerBytes) {
            long frameBytes = frameBytes(buffer);
            if (frameBytes > maxFrameBytes) {
                startSkipping(buffer, frameBytes);
            } else if (received >= frameBytes) {
                return cut(buffer, (int) frameBytes);
            } else {
                expectFrame((int) frameBytes, strippedBytes);
            }
        }
        return null;
    }

    /** Reads nothing if the length is possible, and the header if it is not. */
    private long frameBytes(ChannelBuffer buffer) throws CorruptedFrameException {
        long value = LengthFields.get(buffer, buffer.readerIndex() + fieldStart, fieldBytes);
        if (value < 0) {
            buffer.skipBytes(headerBytes);
            throw new CorruptedFrameException("length field < 0: " + value);
        }
        // A sum beyond Long.MAX_VALUE is negative, and so less than the header.
        long frameBytes = value + valueToFrameBytes;
        if (frameBytes < headerBytes) {
            buffer.skipBytes(headerBytes);
            throw new CorruptedFrameException("length field + lengthAdjustment < 0 or > " + Long.MAX_VALUE + ": "
                    + value + " + " + (valueToFrameBytes - headerBytes));
        }
        return frameBytes;
    }

    private ChannelBuffer cut(ChannelBuffer buffer, int frameBytes) throws CorruptedFrameException {
        int end = buffer.readerIndex() + frameBytes;
        int start = buffer.readerIndex() + strippedBytes;
        if (start > end) {
            buffer.readerIndex(end);
            throw new CorruptedFrameException(
                    "frame length < initialBytesToStrip: " + frameBytes + " < " + strippedBytes);
        }
        ChannelBuffer frame = extractFrame(buffer, start, end - start);
        buffer.readerIndex(end);
        return frame;
    }

    private void startSkipping(ChannelBuffer buffer, long frameBytes) throws TooLongFrameException {
        skippedFrameBytes = frameBytes;
        bytesToSkip = frameBytes;
        if (failFast) {
            skipReceived(buffer);
            throw tooLong();
        }
        skip(buffer);
    }

    private void skip(ChannelBuffer buffer) throws TooLongFrameException {
        skipReceived(buffer);
        if (bytesToSkip == 0 && !failFast) {
            throw tooLong();
        }
    }

    private void skipReceived(ChannelBuffer buffer) {
        int length = (int) Math.min(bytesToSkip, buffer.readableBytes());
        buffer.skipBytes(length);
        bytesToSkip -= length;
    }

    private TooLongFrameException tooLong() {
        return new TooLongFrameException("frame length > " + maxFrameBytes + ": " + skippedFrameBytes);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        bytesToSkip = 0; // of an earlier connection
    }
}
