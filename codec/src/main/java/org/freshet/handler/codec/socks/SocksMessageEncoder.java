package org.freshet.handler.codec.socks;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/** Encodes each {@link SocksMessage}, of any version. Other messages pass through. */
@Sharable
public class SocksMessageEncoder extends OneToOneEncoder {
    /** The size of most messages. */
    private static final int TYPICAL_BYTES = 16;

    public SocksMessageEncoder() {}

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof SocksMessage message)) {
            return msg;
        }
        ChannelBuffer encoded =
                ChannelBuffers.dynamicBuffer(TYPICAL_BYTES, channel.getConfig().getBufferFactory());
        message.encodeAsByteBuf(encoded);
        return encoded;
    }
}
