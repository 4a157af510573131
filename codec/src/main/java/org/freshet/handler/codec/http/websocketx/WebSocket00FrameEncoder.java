package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Encodes text, binary and close frames for draft 00; other messages pass unchanged. The draft has no fragments, pings or
 * pongs, so these are rejected with {@link IllegalArgumentException}. So is text containing the byte 0xFF, which marks the end
 * of a text.
 */
@Sharable
public class WebSocket00FrameEncoder extends OneToOneEncoder {
    private static final byte TEXT = 0;
    private static final byte BINARY = (byte) 0x80;
    private static final byte END = (byte) 0xFF;

    public WebSocket00FrameEncoder() {}

    static ChannelBuffer closingHandshake() {
        return ChannelBuffers.wrappedBuffer(new byte[] {END, 0});
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof WebSocketFrame frame)) {
            return msg;
        }
        if (frame instanceof CloseWebSocketFrame) {
            return closingHandshake();
        }
        if (!frame.isFinalFragment()) {
            throw new IllegalArgumentException("WebSocket draft 00 has no fragments: " + frame);
        }
        ChannelBuffer content = frame.content();
        if (frame instanceof TextWebSocketFrame) {
            return encodeText(content);
        }
        if (frame instanceof BinaryWebSocketFrame) {
            return encodeBinary(content);
        }
        throw new IllegalArgumentException("WebSocket draft 00 has no such frame: " + frame);
    }

    private static ChannelBuffer encodeText(ChannelBuffer content) {
        int length = content.readableBytes();
        if (content.indexOf(content.readerIndex(), content.writerIndex(), END) >= 0) {
            throw new IllegalArgumentException("text that contains the byte 0xFF");
        }
        byte[] frame = new byte[length + 2];
        frame[0] = TEXT;
        content.getBytes(content.readerIndex(), frame, 1, length);
        frame[length + 1] = END;
        return ChannelBuffers.wrappedBuffer(frame);
    }

    private static ChannelBuffer encodeBinary(ChannelBuffer content) {
        int length = content.readableBytes();
        int lengthBytes = Math.max(1, (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 6) / 7);
        byte[] frame = new byte[1 + lengthBytes + length];
        frame[0] = BINARY;
        for (int i = 0; i < lengthBytes; i++) {
            int more = i == 0 ? 0 : 0x80;
            frame[lengthBytes - i] = (byte) (length >>> 7 * i & 0x7F | more);
        }
        content.getBytes(content.readerIndex(), frame, 1 + lengthBytes, length);
        return ChannelBuffers.wrappedBuffer(frame);
    }
}
