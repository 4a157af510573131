package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.replay.ReplayingDecoder;
import org.freshet.handler.codec.replay.VoidEnum;

/**
 * Decodes the frames of draft 00: text between a type byte of 0 and 0xFF, binary messages with a length, and the closing
 * handshake (an empty frame of type 0xFF) as a {@link CloseWebSocketFrame}.
 *
 * <p>An invalid frame raises a {@link WebSocketFailure}: the decoder sends the closing handshake, closes the channel once that
 * is written, and decodes nothing more. Bytes after the peer's closing handshake are dropped.
 *
 * <p>Threading: everything runs on the thread that delivers upstream events.
 */
public class WebSocket00FrameDecoder extends ReplayingDecoder<VoidEnum> {
    private static final int DEFAULT_MAX_FRAME_BYTES = 16384;

    private static final int END_OF_TEXT = 0xFF;
    private static final int CLOSING = 0xFF;

    /** Bytes in the length of a binary frame, seven bits each. */
    private static final int MAX_LENGTH_BYTES = 8;

    private final int maxFrameBytes;

    /** Bytes of the current text already searched for its end. */
    private int searched;

    private boolean over;

    /** Limits frames to 16,384 bytes. */
    public WebSocket00FrameDecoder() {
        this(DEFAULT_MAX_FRAME_BYTES);
    }

    /** @param maxFrameSize the most bytes of content in a frame, 1 or more */
    public WebSocket00FrameDecoder(long maxFrameSize) {
        if (maxFrameSize < 1) {
            throw new IllegalArgumentException("maxFrameSize < 1: " + maxFrameSize);
        }
        maxFrameBytes = (int) Math.min(maxFrameSize, Integer.MAX_VALUE - 16);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
            throws Exception {
        ChannelBuffer received = internalBuffer();
        if (over) {
            buffer.skipBytes(received.readableBytes());
            return null;
        }
        try {
            int type = buffer.getUnsignedByte(buffer.readerIndex());
            return (type & 0x80) == 0 ? readText(buffer, received, type) : readBinary(buffer, received, type);
        } catch (Exception failure) {
            over = true;
            buffer.skipBytes(received.readableBytes());
            Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.PROTOCOL, null, failure));
            close(ctx, channel);
            throw failure;
        }
    }

    /** A frame that was cut short by the end of the connection is discarded. */
    @Override
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
            throws Exception {
        return null;
    }

    private Object readText(ChannelBuffer buffer, ChannelBuffer received, int type) throws Exception {
        if (type != 0) {
            throw new MalformedWebSocketFrameException("text frame of unknown type " + type);
        }
        int start = received.readerIndex() + 1;
        int end = received.indexOf(start + searched, received.writerIndex(), (byte) END_OF_TEXT);
        int length = (end < 0 ? received.writerIndex() : end) - start;
        if (length > maxFrameBytes) {
            throw tooLong();
        }
        if (end < 0) {
            searched = length;
            buffer.getByte(received.writerIndex()); // throws the signal that ends this attempt
        }
        searched = 0;
        byte[] text = new byte[length];
        received.getBytes(start, text);
        buffer.skipBytes(length + 2);
        if (!Utf8Validator.isValid(ChannelBuffers.wrappedBuffer(text), 0, length)) {
            throw MessageRules.notUtf8();
        }
        return filled(new TextWebSocketFrame(), text);
    }

    private Object readBinary(ChannelBuffer buffer, ChannelBuffer received, int type) throws Exception {
        long length = 0;
        int at = buffer.readerIndex() + 1;
        int b;
        do {
            if (at - buffer.readerIndex() > MAX_LENGTH_BYTES) {
                throw tooLong();
            }
            b = buffer.getUnsignedByte(at++);
            length = length << 7 | b & 0x7F;
            if (length > maxFrameBytes) {
                throw tooLong();
            }
        } while ((b & 0x80) != 0);
        if (type == CLOSING && length == 0) {
            over = true;
            buffer.skipBytes(received.readableBytes());
            return new CloseWebSocketFrame();
        }
        buffer.getByte(at + (int) length - 1); // waits for all of it
        byte[] content = new byte[(int) length];
        received.getBytes(at, content);
        buffer.skipBytes(at + content.length - buffer.readerIndex());
        return filled(new BinaryWebSocketFrame(), content);
    }

    private static WebSocketFrame filled(WebSocketFrame frame, byte[] content) {
        frame.setOwnContent(ChannelBuffers.wrappedBuffer(content));
        return frame;
    }

    private TooLongWebSocketFrameException tooLong() {
        return new TooLongWebSocketFrameException("frame of more than " + maxFrameBytes + " bytes");
    }

    private static void close(ChannelHandlerContext ctx, Channel channel) {
        if (channel.isConnected()) {
            ChannelFuture written = Channels.future(channel);
            written.addListener(ChannelFutureListener.CLOSE);
            Channels.write(ctx, written, WebSocket00FrameEncoder.closingHandshake());
        }
    }
}
