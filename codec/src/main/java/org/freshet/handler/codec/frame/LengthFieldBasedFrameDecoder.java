package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into frames that say how long they are.
 *
 * <pre>
 *           lengthFieldOffset     lengthFieldLength       value + lengthAdjustment
 *         |---- header 1 ----|------ length field ------|-------------------------|   one frame
 *         |--- initialBytesToStrip ---&gt; what goes on --------------------------&gt;  |
 * </pre>
 *
 * The field is an unsigned number of 1, 2, 3 or 4 bytes, or a signed one of 8, in the byte order of the received buffers.
 * It counts the bytes behind itself; {@code lengthAdjustment} is added where it counts otherwise:
 *
 * <table>
 * <caption>A body of 12 bytes</caption>
 * <tr><th>protocol<th>offset, length<th>value<th>adjustment<th>strip<th>what goes on
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>0<td>length, body
 * <tr><td>length, body<td>0, 2<td>12<td>0<td>2<td>body
 * <tr><td>length counts itself, body<td>0, 2<td>14<td>-2<td>2<td>body
 * <tr><td>magic (2), length, body<td>2, 3<td>12<td>0<td>5<td>body
 * <tr><td>length, type (1) not counted, body<td>0, 3<td>12<td>1<td>3<td>type, body
 * <tr><td>magic (1), length of all, type (1), body<td>1, 2<td>16<td>-3<td>3<td>type, body
 * </table>
 *
 * <p>A frame longer than {@code maxFrameLength} is skipped, over as many reads as it takes, and reported as one {@link
 * TooLongFrameException} with its length: at its end, or on seeing its length if {@code failFast}. Decoding goes on behind
 * it. A length that cannot be (negative, overflowing, ending within the header or within what is to be stripped) is a
 * {@link CorruptedFrameException}; the header is skipped, or the frame if it is merely shorter than what is to be stripped.
 * What follows is then taken for the next frame, which hardly ever makes sense: close the channel.
 */
public class LengthFieldBasedFrameDecoder extends FrameDecoder {
    private final int maxFrameLength;
    private final int lengthFieldOffset;
    private final int lengthFieldLength;
    private final int lengthFieldEndOffset;
    private final int lengthAdjustment;
    private final int initialBytesToStrip;
    private final boolean failFast;

    /** The length of the too long frame that is being skipped. */
    private long tooLongFrameLength;

    /** How much of it is still to come; 0 if no frame is being skipped. */
    private long bytesToDiscard;

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
     * @param lengthAdjustment what to add to the field's value to get the number of bytes behind it
     * @param initialBytesToStrip bytes at the beginning of a frame that do not go on, 0 or more
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
        this.maxFrameLength = maxFrameLength;
        this.lengthFieldOffset = lengthFieldOffset;
        this.lengthFieldLength = lengthFieldLength;
        this.lengthFieldEndOffset = lengthFieldOffset + lengthFieldLength;
        this.lengthAdjustment = lengthAdjustment;
        this.initialBytesToStrip = initialBytesToStrip;
        this.failFast = failFast;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        if (bytesToDiscard > 0) {
            discard(buffer);
            return null;
        }
        if (buffer.readableBytes() < lengthFieldEndOffset) {
            return null;
        }
        long frameLength = frameLength(buffer);
        if (frameLength > maxFrameLength) {
            startDiscarding(buffer, frameLength);
            return null;
        }
        return buffer.readableBytes() < frameLength ? null : nextFrame(buffer, (int) frameLength);
    }

    /** Reads no byte if the length is good, and the header if it is not. */
    private long frameLength(ChannelBuffer buffer) throws CorruptedFrameException {
        long value = LengthFields.get(buffer, buffer.readerIndex() + lengthFieldOffset, lengthFieldLength);
        if (value < 0) {
            buffer.skipBytes(lengthFieldEndOffset);
            throw new CorruptedFrameException("length field < 0: " + value);
        }
        // A value near Long.MAX_VALUE wraps around and so is caught below.
        long frameLength = value + lengthAdjustment + lengthFieldEndOffset;
        if (frameLength < lengthFieldEndOffset) {
            buffer.skipBytes(lengthFieldEndOffset);
            throw new CorruptedFrameException("length field + lengthAdjustment < 0 or > " + Long.MAX_VALUE + ": "
                    + value + " + " + lengthAdjustment);
        }
        return frameLength;
    }

    private ChannelBuffer nextFrame(ChannelBuffer buffer, int frameLength) throws CorruptedFrameException {
        if (frameLength < initialBytesToStrip) {
            buffer.skipBytes(frameLength);
            throw new CorruptedFrameException(
                    "frame length < initialBytesToStrip: " + frameLength + " < " + initialBytesToStrip);
        }
        int start = buffer.readerIndex() + initialBytesToStrip;
        int length = frameLength - initialBytesToStrip;
        ChannelBuffer frame = extractFrame(buffer, start, length);
        buffer.readerIndex(start + length);
        return frame;
    }

    private void startDiscarding(ChannelBuffer buffer, long frameLength) throws TooLongFrameException {
        tooLongFrameLength = frameLength;
        bytesToDiscard = frameLength;
        if (failFast) {
            skipDiscarded(buffer);
            throw tooLong();
        }
        discard(buffer);
    }

    private void discard(ChannelBuffer buffer) throws TooLongFrameException {
        skipDiscarded(buffer);
        if (bytesToDiscard == 0 && !failFast) {
            throw tooLong();
        }
    }

    private void skipDiscarded(ChannelBuffer buffer) {
        int length = (int) Math.min(bytesToDiscard, buffer.readableBytes());
        buffer.skipBytes(length);
        bytesToDiscard -= length;
    }

    private TooLongFrameException tooLong() {
        return new TooLongFrameException("frame length > " + maxFrameLength + ": " + tooLongFrameLength);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        bytesToDiscard = 0; // of an earlier connection
    }
}
