package org.freshet.handler.codec.http.websocketx;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.internal.CoderPool;

/**
 * Inflates the frames of messages (RFC 7692, section 7.2.2), and stops as soon as a message exceeds its limit.
 *
 * <p>A deflate stream may end inside a message; another stream or nothing follows it. Without context takeover, an instance
 * serves one message. Belongs to one thread at a time. Holds native memory until {@link #end}.
 */
final class MessageInflater {
    /** The part of the empty block that a sender leaves out at the end of a message. */
    private static final byte[] LEFT_OUT = {0, 0, (byte) 0xFF, (byte) 0xFF};

    /** The same plus a final empty block: the end of the stream is only found at a block boundary. */
    private static final byte[] LEFT_OUT_AND_END = {0, 0, (byte) 0xFF, (byte) 0xFF, 1, 0, 0, (byte) 0xFF, (byte) 0xFF};

    /** The usual expansion of deflated text, for the first guess at the output size. */
    private static final int USUAL_RATIO = 4;

    private static final int MIN_ROOM_BYTES = 256;
    private static final int MAX_FIRST_ROOM_BYTES = 64 * 1024;
    /** A frame may always contain this many streams, and more if they have some length: starting a stream takes time. */
    private static final int MIN_STREAMS = 16;

    private static final int MIN_STREAM_BYTES = 32;

    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 16;

    private final long maxMessageBytes;

    /** Whether a message may refer to earlier ones. */
    private final boolean contextTakeover;

    private final Inflater inflater = CoderPool.takeInflater(true);

    /** Bytes of the current message from earlier frames. */
    private long earlierBytes;

    /** The inflated content of the current frame so far. */
    private byte[] output;

    private int length;

    MessageInflater(long maxMessageBytes, boolean contextTakeover) {
        this.maxMessageBytes = maxMessageBytes;
        this.contextTakeover = contextTakeover;
    }

    /** Returns the inflater to the pool. Call it exactly once. */
    void end() {
        CoderPool.give(inflater, true);
    }

    /**
     * Inflates a frame.
     *
     * @param isLast whether this frame ends the message
     * @return the content; nothing else refers to it
     */
    ChannelBuffer inflate(ChannelBuffer frame, boolean isLast)
            throws MalformedWebSocketFrameException, TooLongWebSocketFrameException {
        long guess = Math.min(MAX_FIRST_ROOM_BYTES, (long) frame.readableBytes() * USUAL_RATIO);
        output = new byte[(int) Math.min(Math.max(guess, MIN_ROOM_BYTES), maxFrameBytes() + 1)];
        length = 0;
        try {
            inflateContent(frame);
            if (isLast) {
                endMessage();
            }
        } catch (DataFormatException e) {
            throw new MalformedWebSocketFrameException(
                    CloseBody.NOT_UTF_8, "cannot inflate the message: " + e.getMessage());
        }
        earlierBytes = isLast ? 0 : earlierBytes + length;
        return take();
    }

    private void inflateContent(ChannelBuffer frame) throws DataFormatException, TooLongWebSocketFrameException {
        int size = frame.readableBytes();
        if (frame.hasArray()) {
            inflate(frame.array(), frame.arrayOffset() + frame.readerIndex(), size);
        } else {
            byte[] bytes = new byte[size];
            frame.getBytes(frame.readerIndex(), bytes);
            inflate(bytes, 0, size);
        }
    }

    private void endMessage() throws DataFormatException, TooLongWebSocketFrameException {
        if (!inflater.finished()) {
            inflate(contextTakeover ? LEFT_OUT : LEFT_OUT_AND_END);
            if (!contextTakeover && !inflater.finished()) {
                throw new DataFormatException("it is truncated");
            }
        }
    }

    private void inflate(byte[] bytes) throws DataFormatException, TooLongWebSocketFrameException {
        inflate(bytes, 0, bytes.length);
    }

    private void inflate(byte[] bytes, int from, int size) throws DataFormatException, TooLongWebSocketFrameException {
        int end = from + size;
        int remaining = size;
        int streamsLeft = MIN_STREAMS + size / MIN_STREAM_BYTES;
        while (remaining > 0) {
            if (inflater.finished()) {
                inflater.reset();
                streamsLeft--;
            }
            if (streamsLeft == 0) {
                throw new DataFormatException("it consists of too many streams");
            }
            inflater.setInput(bytes, end - remaining, remaining);
            inflateInput();
            remaining = inflater.getRemaining();
        }
    }

    /** Runs until the input or the stream ends. */
    private void inflateInput() throws DataFormatException, TooLongWebSocketFrameException {
        int room;
        int made;
        do {
            ensureRoom();
            room = output.length - length;
            made = inflater.inflate(output, length, room);
            length += made;
            if (length > maxFrameBytes()) {
                throw new TooLongWebSocketFrameException("message inflates to more than " + maxMessageBytes + " bytes");
            }
        } while (made == room); // full: there may be more
    }

    private long maxFrameBytes() {
        return Math.min(maxMessageBytes - earlierBytes, MAX_ARRAY_BYTES - 1);
    }

    private void ensureRoom() {
        if (length == output.length) {
            long doubled = Math.min(2L * length, maxFrameBytes() + 1);
            output = Arrays.copyOf(output, (int) doubled);
        }
    }

    private ChannelBuffer take() {
        // A buffer that is kept for long should not hold much more than its content.
        byte[] bytes = length < output.length - output.length / 4 ? Arrays.copyOf(output, length) : output;
        output = null;
        return length == 0 ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(bytes, 0, length);
    }
}
