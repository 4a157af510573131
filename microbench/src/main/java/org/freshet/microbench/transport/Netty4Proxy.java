package org.freshet.microbench.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The proxy of {@link LentReadsComparison} on Netty 4.2: one loop for both sides; it reads only while its sink is
 * writable.
 */
final class Netty4Proxy {
    private static final EventLoopGroup LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    private Netty4Proxy() {}

    /** Returns the port. */
    static int start(int sinkPort) {
        ChannelFuture bound = new ServerBootstrap()
                .group(LOOP)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new Source(sinkPort))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Channel channel = bound.syncUninterruptibly().channel();
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    /** For one connection. */
    private static final class Source extends ChannelInboundHandlerAdapter {
        private final int sinkPort;
        private Channel sink;

        Source(int sinkPort) {
            this.sinkPort = sinkPort;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            ChannelFuture connecting = new Bootstrap()
                    .group(ctx.channel().eventLoop())
                    .channel(NioSocketChannel.class)
                    .handler(new Sink(ctx.channel()))
                    .connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sinkPort));
            sink = connecting.channel();
            connecting.addListener(connected -> ctx.channel().config().setAutoRead(true));
            sink.closeFuture().addListener(closed -> ctx.close());
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            sink.write(message);
            if (!sink.isWritable()) {
                sink.flush();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            sink.flush();
        }
    }

    private static final class Sink extends ChannelInboundHandlerAdapter {
        private final Channel source;

        Sink(Channel source) {
            this.source = source;
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            source.config().setAutoRead(ctx.channel().isWritable());
        }
    }
}
