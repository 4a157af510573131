package org.freshet.microbench.compare.server;

import java.io.ObjectInputFilter;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.ObjectDialect;
import org.freshet.microbench.compare.load.Tls;

/** The pipelines of Freshet's servers, on which each connection's I/O thread works. */
final class FreshetPipelines implements ChannelPipelineFactory {
    private static final int MAX_FRAME_BYTES = 1 << 20;

    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup();
    private final ObjectInputFilter numbers = ObjectInputFilter.Config.createFilter(ObjectDialect.FILTER);

    FreshetPipelines(Assignment assignment) {
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
        return new ObjectDecoder(MAX_FRAME_BYTES, ClassResolvers.cacheDisabled(null), numbers);
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
