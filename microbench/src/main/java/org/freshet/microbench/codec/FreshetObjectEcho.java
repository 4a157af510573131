package org.freshet.microbench.codec;

import java.io.ObjectInputFilter;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's object codec, with a filter like a user's. */
final class FreshetObjectEcho implements ObjectEcho {
    private final Channel channel;
    private Object received;

    FreshetObjectEcho() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("echo", new Echo());
        pipeline.addLast(
                "decoder",
                new ObjectDecoder(
                        1 << 20,
                        ClassResolvers.cacheDisabled(null),
                        ObjectInputFilter.Config.createFilter("org.freshet.microbench.codec.*")));
        pipeline.addLast("encoder", new ObjectEncoder());
        pipeline.addLast("last", new Last());
        channel = new FreshetChannel(pipeline);
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
