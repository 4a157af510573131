package org.freshet.microbench.compare.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.microbench.compare.load.RelayDialect;

/**
 * Netty 4.2's handlers whose answers are written by another thread: the partner's loop, or a thread outside the loops.
 * Each is flushed by the task that writes it.
 */
final class Netty4Handover implements AutoCloseable {
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

    private static class Closing extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private final class Relay extends Closing {
        private RelayPairs<Channel>.End end;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            end = pairs.new End(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel partner = end.partner();
            if (partner != null) {
                partner.writeAndFlush(message);
                return;
            }
            int name = ((ByteBuf) message).readInt();
            ((ByteBuf) message).release();
            if (end.give(name)) {
                greet(context.channel());
                greet(end.partner());
            }
        }

        private static void greet(Channel channel) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {RelayDialect.GREETING}));
        }
    }

    private final class Handing extends Closing {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            writer.execute(() -> context.writeAndFlush(message));
        }
    }
}
