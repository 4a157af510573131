package org.freshet.handler.codec.rtsp;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.http.HttpMessage;
import org.freshet.handler.codec.http.HttpMessageEncoder;

/**
 * Encodes RTSP messages and {@link RtspInterleavedFrame}s; anything else passes unchanged.
 *
 * <p>A message with content needs a {@code Content-Length}. Without it, the peer takes the content for the next message.
 */
@Sharable
public abstract class RtspMessageEncoder extends HttpMessageEncoder {
    private static final int FRAME_HEAD_LENGTH = 4;

    protected RtspMessageEncoder() {}

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof RtspInterleavedFrame frame) {
            return encodeFrame(frame);
        }
        return msg instanceof HttpMessage ? super.encode(ctx, channel, msg) : msg;
    }

    private static ChannelBuffer encodeFrame(RtspInterleavedFrame frame) {
        ChannelBuffer content = frame.content();
        ChannelBuffer head = ChannelBuffers.buffer(FRAME_HEAD_LENGTH);
        head.writeByte('$');
        head.writeByte(frame.channel());
        head.writeShort(content.readableBytes());
        return ChannelBuffers.wrappedBuffer(head, content);
    }
}
