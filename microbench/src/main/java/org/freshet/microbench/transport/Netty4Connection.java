package org.freshet.microbench.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Over Netty 4.2's NIO transport. */
final class Netty4Connection implements Connection {
    private final EventLoopGroup worker = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel channel;

    Netty4Connection(SocketAddress peer, IntConsumer received) throws InterruptedException {
        channel = new Bootstrap()
                .group(worker)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new Receiver(received))
                .connect(peer)
                .sync()
                .channel();
    }

    @Override
    public void execute(Runnable task) {
        channel.eventLoop().execute(task);
    }

    @Override
    public void write(int messages, byte[] bytes, Runnable sent) {
        for (int i = 1; i < messages; i++) {
            channel.write(Unpooled.wrappedBuffer(bytes));
        }
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes)).addListener(future -> sent.run());
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        worker.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class Receiver extends ChannelInboundHandlerAdapter {
        private final IntConsumer received;

        Receiver(IntConsumer received) {
            this.received = received;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            received.accept(bytes.readableBytes());
            bytes.release();
        }
    }
}
