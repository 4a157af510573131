package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into frames with a length field.
 *
 * <pre>
 *           lengthFieldOffset     lengthFieldLength       value + lengthAdjustment
 *         |---- header 1 ----|------ length field ------|-------------------------|   one frame
 *         |--- initialBytesToStrip ---|------------- the frame that is sent on ----|
 * </pre>
 *
 * The field is an unsigned number of 1, 2, 3 or 4 bytes, or a signed one of 8, in the byte order of the received
 * buffers. {@code lengthAdjustment} is added to it to get the number of bytes after the field:
 *
 * <table>
 * <caption>A body of 12 bytes</caption>
 * <tr><th>protocol<th>offset, length<th>value<th>adjustment<th>strip<th>frame sent on
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>0<td>length, body
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>2<td>body
 * <tr><td>length including itself, body<td>0, 2<td>14<td>-2<td>2<td>body
 * <tr><td>magic (2), length, body<td>2, 3<td>12<td>0<td>5<td>body
 * <tr><td>length, type (1) not counted, body<td>0, 3<td>12<td>1<td>3<td>type, body
 * <tr><td>magic (1), total length, type (1), body<td>1, 2<td>16<td>-3<td>3<td>type, body
 * </table>
 *
 * <p>A frame longer than {@code maxFrameLength} is skipped, over as many reads as needed, and reported as one
 * {@link TooLongFrameException} with its length: at its end, or as soon as the length is known if {@code failFast}.
 * Decoding continues after it.
 *
 * <p>An impossible length causes a {@link CorruptedFrameException}: one that is negative, overflows, or ends within the
 * header or within the bytes to strip. If the frame is only shorter than the bytes to strip, it is skipped; otherwise
 * the header is. Whatever follows is taken for the next frame, and that rarely makes sense: close the channel.
 */
@ChannelHandler.Borrower
public class LengthFieldBasedFrameDecoder extends FrameDecoder {
    private final int maxFrameBytes;

    /** Bytes before the length field. */
    private final int fieldStart;

    private final int fieldBytes;

    /** Bytes up to the end of the length field: the minimum length of a frame. */
    private final int headerBytes;

    /** Added to the field's value to get the length of the whole frame. */
    private final long valueToFrameBytes;

    private final int strippedBytes;
    private final boolean failFast;

    /** Length in bytes of the too long frame being skipped. */
    private long skippedFrameBytes;

    /** How many bytes of it are still to come; 0 if no frame is being skipped. */
    private long bytesToSkip;

    /** No adjustment, strips nothing, {@code failFast} off. */
    public LengthFieldBasedFrameDecoder(int maxFrameLength, int lengthFieldOffset, int lengthFieldLength) {
        this(maxFrameLength, lengthFieldOffset, lengthFieldLength, 0, 0);
    }

    /** {@code failFast} off. */
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
     * @param lengthAdjustment added to the field's value to get the number of bytes after the field
     * @param initialBytesToStrip bytes to remove from the beginning of each frame, 0 or more
     * @param failFast whether to report a too long frame before it is skipped
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

    /** Consumes nothing if the length is valid, otherwise the header. */
    private long frameBytes(ChannelBuffer buffer) throws CorruptedFrameException {
        long value = LengthFields.get(buffer, buffer.readerIndex() + fieldStart, fieldBytes);
        if (value < 0) {
            buffer.skipBytes(headerBytes);
            throw new CorruptedFrameException("length field < 0: " + value);
        }
        // A sum beyond Long.MAX_VALUE is negative, and therefore less than the header.
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
    protected void onBytesForgotten() {
        bytesToSkip = 0;
    }
}
