package org.freshet.microbench.compare.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.Tls;

/** The pipelines of Netty 4.2's servers, on which each connection's event loop works. */
final class Netty4Pipelines extends ChannelInitializer<SocketChannel> {
    private final Assignment assignment;
    private final ChannelGroup listeners = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

    Netty4Pipelines(Assignment assignment) {
        this.assignment = assignment;
    }

    @Override
    protected void initChannel(SocketChannel channel) {
        switch (assignment.role()) {
            case ECHO -> channel.pipeline().addLast(new Echo());
            case FANOUT -> channel.pipeline().addLast(new Fanout());
            case TLS -> channel.pipeline().addLast(new SslHandler(Tls.serverEngine()), new Echo());
            default -> throw new IllegalArgumentException("no such role here: " + assignment.role());
        }
    }

    private static class Closing extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static class Flushing extends Closing {
        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }

    private static final class Echo extends Flushing {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }
    }

    private final class Fanout extends Closing {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            listeners.add(context.channel());
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            listeners.writeAndFlush(message);
        }
    }
}
