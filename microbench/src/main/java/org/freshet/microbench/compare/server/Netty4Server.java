package org.freshet.microbench.compare.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.compare.load.FanoutLoad;
import org.freshet.microbench.compare.load.Tls;

/** Netty 4.2 over NIO: one boss, one worker; it flushes once a read batch, as its own guide advises. */
final class Netty4Server implements PeerServer {
    private final Role role;
    private final ChannelGroup listeners = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private final EventLoopGroup boss = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup worker = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    Netty4Server(Role role) {
        this.role = role;
    }

    @Override
    public int start() throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(boss, worker)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, Servers.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new Pipelines());
        return Servers.portOf(
                bootstrap.bind(Servers.anyLoopbackPort()).sync().channel().localAddress());
    }

    @Override
    public void close() {
        boss.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        worker.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private final class Pipelines extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            switch (role) {
                case ECHO -> channel.pipeline().addLast(new Echo());
                case FANOUT -> channel.pipeline().addLast(new Fanout());
                case TLS -> channel.pipeline().addLast(new SslHandler(Tls.serverEngine()), new Echo());
            }
        }
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private final class Fanout extends ChannelInboundHandlerAdapter {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            listeners.add(context.channel());
            context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {FanoutLoad.GREETING}));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            listeners.writeAndFlush(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
