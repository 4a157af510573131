package org.freshet.microbench.codec;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's object codec, which accepts any class; deprecated in Netty. */
@SuppressWarnings("deprecation")
final class Netty4ObjectEcho implements ObjectEcho {
    private final Channel channel = Netty4Channel.create();
    private Object received;

    Netty4ObjectEcho() {
        channel.pipeline()
                .addLast(new Echo())
                .addLast(new io.netty.handler.codec.serialization.ObjectDecoder(
                        1 << 20, io.netty.handler.codec.serialization.ClassResolvers.cacheDisabled(null)))
                .addLast(new io.netty.handler.codec.serialization.ObjectEncoder())
                .addLast(new Last());
    }

    @Override
    public Object echo(Object message) {
        received = null;
        channel.write(message);
        return received;
    }

    /** Sends back written messages. */
    private static final class Echo extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            promise.setSuccess();
            context.fireChannelRead(message);
        }
    }

    private final class Last extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            received = message;
        }
    }
}
