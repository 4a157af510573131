package org.freshet.microbench.compare.server;

import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.ObjectDialect;
import org.freshet.microbench.compare.load.Tls;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.ChannelHandler;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.ChannelPipelineFactory;
import org.jboss.netty.channel.ChannelStateEvent;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.group.ChannelGroup;
import org.jboss.netty.channel.group.DefaultChannelGroup;
import org.jboss.netty.handler.codec.serialization.ClassResolvers;
import org.jboss.netty.handler.codec.serialization.ObjectDecoder;
import org.jboss.netty.handler.codec.serialization.ObjectEncoder;
import org.jboss.netty.handler.ssl.SslHandler;

/** The pipelines of Netty 3's servers, on which each connection's I/O thread works. */
final class Netty3Pipelines implements ChannelPipelineFactory {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup();

    Netty3Pipelines(Assignment assignment) {
        this.assignment = assignment;
    }

    @Override
    public ChannelPipeline getPipeline() {
        return switch (assignment.role()) {
            case ECHO -> Channels.pipeline(new Echo());
            case FANOUT -> Channels.pipeline(new Fanout());
            case TLS -> Channels.pipeline(new SslHandler(Tls.serverEngine()), new Echo());
            case OBJECTS -> Channels.pipeline(objectDecoder(), new ObjectEncoder(), new Objects());
        };
    }

    private ChannelHandler objectDecoder() {
        return new ObjectDecoder(MAX_FRAME_BYTES, ClassResolvers.cacheDisabled(null));
    }

    private static class Closing extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
            event.getChannel().close();
        }
    }

    private static final class Echo extends Closing {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(event.getMessage());
        }
    }

    private final class Fanout extends Closing {
        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            listeners.add(event.getChannel());
            event.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            listeners.write(event.getMessage());
        }
    }

    private static final class Objects extends Closing {
        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            event.getChannel().write(ObjectDialect.answerTo(ObjectDialect.GREETING));
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            event.getChannel().write(ObjectDialect.answerTo((Integer) event.getMessage()));
        }
    }
}
