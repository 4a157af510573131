package org.freshet.handler.codec.stomp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.internal.handler.MessagePart;

/**
 * Encodes {@link StompFrame}s and {@link StompChunk}s. Other messages pass through.
 *
 * <p>Names and values are escaped according to the connection's version. It is taken from the {@code CONNECTED} frame
 * that this encoder sends or a {@link StompFrameDecoder} of the same channel receives; until then it is 1.2. Frames
 * that open a connection, and 1.0 frames, have no escapes. Text that cannot be expressed causes an
 * IllegalArgumentException before anything is written: a line end that has no escape, a colon in a name without
 * escapes, a NUL, an empty name.
 *
 * <p>A {@code content-length} must match the content. If a frame has none and its content contains a NUL, the header is
 * added. Chunks of a frame without it cannot contain a NUL. In 1.1 and 1.2, only {@code SEND}, {@code MESSAGE} and
 * {@code ERROR} may have content. All this is checked. Between a chunked frame and its last chunk, no other frame can
 * be written (IllegalStateException). If the head of a chunked frame or one of its chunks can't be sent, the connection is closed.
 *
 * <p>Threading: any thread may write frames that are not chunked. A chunked frame and its chunks must be written one
 * after the other, with no other frame in between. An instance belongs to one pipeline.
 */
public class StompFrameEncoder extends OneToOneEncoder {
    /** Content up to this many bytes is copied after the head, so that both are one buffer. */
    private static final int MAX_COPIED_BYTES = 1024;

    /** Value of {@link #remaining} while no chunked frame is being written. */
    private static final long BETWEEN_FRAMES = -1;

    /** Value of {@link #remaining} for chunks that end at a NUL. */
    private static final long UNTIL_NUL = -2;

    /** Number of bytes that the current frame's chunks still need, or one of the two constants. */
    private volatile long remaining = BETWEEN_FRAMES;

    public StompFrameEncoder() {}

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent write && isPart(write.getMessage())) {
            MessagePart.pass(ctx, write, part -> super.handleDownstream(ctx, part));
        } else {
            super.handleDownstream(ctx, evt);
        }
    }

    private static boolean isPart(Object message) {
        return message instanceof StompChunk || message instanceof StompFrame frame && frame.isChunked();
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof StompFrame) {
            return encodeFrame(channel, (StompFrame) msg);
        }
        if (msg instanceof StompChunk) {
            return encodeChunk((StompChunk) msg);
        }
        return msg;
    }

    // ---- frames ----

    private ChannelBuffer encodeFrame(Channel channel, StompFrame frame) {
        if (remaining != BETWEEN_FRAMES) {
            throw new IllegalStateException(
                    "a chunked frame is being written; write StompChunk.LAST before this one: " + frame);
        }
        StompConnection connection = StompConnection.of(channel);
        if (frame.command() == StompCommand.CONNECTED) {
            connection.onConnected(frame.headers());
        }
        long length = checkedContentLength(frame, connection.version());
        HeaderText text = HeaderText.of(frame.command(), connection.version());
        ChannelBuffer encoded = frame.isChunked()
                ? ChannelBuffers.wrappedBuffer(encodeHead(frame, text, 0))
                : encodeWhole(frame, text, length);
        if (frame.isChunked()) {
            remaining = length;
        }
        return encoded;
    }

    /** Returns the value of {@code content-length}, or {@link #UNTIL_NUL} without one. */
    private static long checkedContentLength(StompFrame frame, StompVersion version) {
        int actual = frame.content().readableBytes();
        String header = frame.headers().get(StompHeaders.CONTENT_LENGTH);
        long length = header == null ? UNTIL_NUL : ContentLength.parse(header);
        if (length == -1 || length >= 0 && length != actual && !frame.isChunked()) {
            throw new IllegalArgumentException("content-length is " + header + ", but the content has " + actual
                    + " bytes; leave the header out, it is added if needed: " + frame);
        }
        boolean hasContent = actual > 0 || frame.isChunked() && length != 0;
        if (hasContent && version != StompVersion.V1_0 && !frame.command().mayHaveContent()) {
            throw new IllegalArgumentException("only SEND, MESSAGE and ERROR may have content: " + frame);
        }
        return length;
    }

    private static ChannelBuffer encodeWhole(StompFrame frame, HeaderText text, long length) {
        ChannelBuffer content = frame.content();
        int start = content.readerIndex();
        int actual = content.readableBytes();
        if (length == UNTIL_NUL && actual > 0 && content.indexOf(start, start + actual, (byte) 0) >= 0) {
            frame.headers().append(StompHeaders.CONTENT_LENGTH, Integer.toString(actual));
        }
        if (actual > MAX_COPIED_BYTES) {
            byte[] head = encodeHead(frame, text, 0);
            return ChannelBuffers.wrappedBuffer(
                    ChannelBuffers.wrappedBuffer(head), content, ChannelBuffers.wrappedBuffer(new byte[1]));
        }
        byte[] array = encodeHead(frame, text, actual + 1);
        content.getBytes(start, array, array.length - 1 - actual, actual);
        return ChannelBuffers.wrappedBuffer(array);
    }

    /** @param room zero bytes to leave free after the head */
    private static byte[] encodeHead(StompFrame frame, HeaderText text, int room) {
        StompHeaders headers = frame.headers();
        StompCommand command = frame.command();
        int count = headers.size();
        int bytes = 0;
        int characters = 0;
        for (int i = 0; i < count; i++) {
            String name = headers.nameAt(i);
            String value = headers.valueAt(i);
            bytes = Math.addExact(bytes, Math.addExact(text.nameLength(name), text.length(value)));
            characters += name.length() + value.length();
        }
        byte[] array = new byte[Math.addExact(bytes, command.length() + 2 * count + 2 + room)];
        int at = command.write(array, 0);
        array[at++] = '\n';
        at = bytes == characters ? writePlain(headers, array, at) : write(headers, text, array, at);
        array[at] = '\n';
        return array;
    }

    private static int writePlain(StompHeaders headers, byte[] array, int from) {
        int at = from;
        for (int i = 0; i < headers.size(); i++) {
            at = HeaderText.writePlain(headers.nameAt(i), array, at);
            array[at++] = ':';
            at = HeaderText.writePlain(headers.valueAt(i), array, at);
            array[at++] = '\n';
        }
        return at;
    }

    private static int write(StompHeaders headers, HeaderText text, byte[] array, int from) {
        int at = from;
        for (int i = 0; i < headers.size(); i++) {
            at = text.write(headers.nameAt(i), array, at);
            array[at++] = ':';
            at = text.write(headers.valueAt(i), array, at);
            array[at++] = '\n';
        }
        return at;
    }

    // ---- chunks ----

    private ChannelBuffer encodeChunk(StompChunk chunk) {
        long expected = remaining;
        if (expected == BETWEEN_FRAMES) {
            throw new IllegalStateException("a chunk must follow a chunked StompFrame: " + chunk);
        }
        ChannelBuffer content = chunk.content();
        if (chunk.isLast()) {
            if (expected > 0) {
                throw new IllegalStateException(expected + " bytes of the frame's content-length are still missing");
            }
            remaining = BETWEEN_FRAMES;
            return ChannelBuffers.wrappedBuffer(new byte[1]);
        }
        int length = content.readableBytes();
        if (expected == UNTIL_NUL) {
            if (content.indexOf(content.readerIndex(), content.writerIndex(), (byte) 0) >= 0) {
                throw new IllegalArgumentException("content with a NUL needs a content-length in its frame: " + chunk);
            }
        } else if (length > expected) {
            throw new IllegalArgumentException(
                    "only " + expected + " bytes of the frame's content-length are left: " + chunk);
        } else {
            remaining = expected - length;
        }
        return content;
    }
}
