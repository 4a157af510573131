package org.freshet.example.execution;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneDecoder;

/** Decodes frames into requests. */
final class RequestDecoder extends OneToOneDecoder {
    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object message) {
        return message instanceof ChannelBuffer frame ? Request.readFrom(frame) : message;
    }
}
