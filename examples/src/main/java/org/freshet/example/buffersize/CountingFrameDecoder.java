package org.freshet.example.buffersize;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;

/** Splits at "|" and counts the decoder calls per frame, for the handlers above. Exclusive. */
final class CountingFrameDecoder extends DelimiterBasedFrameDecoder {
    /** The number of decoder calls for the channel's last frame. */
    static final ChannelLocal<Integer> CALLS = new ChannelLocal<>(true);

    private static final int MAX_FRAME_BYTES = 1024 * 1024;

    /** I/O thread only. */
    private int calls;

    CountingFrameDecoder() {
        super(MAX_FRAME_BYTES, ChannelBuffers.wrappedBuffer(new byte[] {'|'}));
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        calls++;
        Object frame = super.decode(ctx, channel, buffer);
        if (frame != null) {
            CALLS.set(channel, calls);
            calls = 0;
        }
        return frame;
    }
}
