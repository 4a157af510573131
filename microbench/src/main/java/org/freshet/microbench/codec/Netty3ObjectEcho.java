package org.freshet.microbench.codec;

import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelHandler;
import org.jboss.netty.handler.codec.serialization.ClassResolvers;
import org.jboss.netty.handler.codec.serialization.ObjectDecoder;
import org.jboss.netty.handler.codec.serialization.ObjectEncoder;

/** Netty 3's object codec, which accepts any class. */
final class Netty3ObjectEcho implements ObjectEcho {
    private final Channel channel;
    private Object received;

    Netty3ObjectEcho() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("echo", new Echo());
        pipeline.addLast("decoder", new ObjectDecoder(1 << 20, ClassResolvers.cacheDisabled(null)));
        pipeline.addLast("encoder", new ObjectEncoder());
        pipeline.addLast("last", new Last());
        channel = new Netty3Channel(pipeline);
    }

    @Override
    public Object echo(Object message) {
        received = null;
        channel.write(message);
        return received;
    }

    /** Sends back written messages. */
    private static final class Echo extends SimpleChannelHandler {
        @Override
        public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
            event.getFuture().setSuccess();
            Channels.fireMessageReceived(context, event.getMessage());
        }
    }

    private final class Last extends SimpleChannelHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            received = event.getMessage();
        }
    }
}
