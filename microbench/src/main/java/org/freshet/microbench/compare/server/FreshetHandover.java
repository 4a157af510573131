package org.freshet.microbench.compare.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.microbench.compare.load.RelayDialect;

/**
 * Freshet's handlers whose answers are written by another thread: the partner's loop, or a thread outside the loops.
 */
final class FreshetHandover implements AutoCloseable {
    private final RelayPairs<Channel> pairs = new RelayPairs<>();

    /** Has no thread before its first task. */
    private final ExecutorService writer = Executors.newSingleThreadExecutor();

    ChannelHandler relay() {
        return new Relay();
    }

    ChannelHandler handing() {
        return new Handing();
    }

    @Override
    public void close() {
        writer.shutdownNow();
    }

    private static class Closing extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, ExceptionEvent event) {
            event.getChannel().close();
        }
    }

    private final class Relay extends Closing {
        private RelayPairs<Channel>.End end;

        @Override
        public void channelConnected(ChannelHandlerContext context, ChannelStateEvent event) {
            end = pairs.new End(event.getChannel());
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            Channel partner = end.partner();
            if (partner != null) {
                partner.write(event.getMessage());
            } else if (end.give(((ChannelBuffer) event.getMessage()).readInt())) {
                greet(event.getChannel());
                greet(end.partner());
            }
        }

        private static void greet(Channel channel) {
            channel.write(ChannelBuffers.wrappedBuffer(new byte[] {RelayDialect.GREETING}));
        }
    }

    private final class Handing extends Closing {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            writer.execute(() -> event.getChannel().write(event.getMessage()));
        }
    }
}
