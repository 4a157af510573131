package org.freshet.microbench.transport;

import java.net.SocketAddress;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import org.jboss.netty.bootstrap.ClientBootstrap;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory;

/** Over Netty 3's NIO transport. */
final class Netty3Connection implements Connection {
    private final ClientBootstrap bootstrap;
    private final Channel channel;

    Netty3Connection(SocketAddress peer, IntConsumer received) {
        var threads = Executors.newCachedThreadPool();
        bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory(threads, threads, 1));
        bootstrap.setOption("tcpNoDelay", true);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Receiver(received)));
        channel = bootstrap.connect(peer).syncUninterruptibly().getChannel();
    }

    @Override
    public void execute(Runnable task) {
        channel.getPipeline().execute(task);
    }

    @Override
    public void write(int messages, byte[] bytes, Runnable sent) {
        for (int i = 1; i < messages; i++) {
            channel.write(ChannelBuffers.wrappedBuffer(bytes));
        }
        channel.write(ChannelBuffers.wrappedBuffer(bytes)).addListener(future -> sent.run());
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        bootstrap.releaseExternalResources();
    }

    private static final class Receiver extends SimpleChannelUpstreamHandler {
        private final IntConsumer received;

        Receiver(IntConsumer received) {
            this.received = received;
        }

        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            received.accept(((ChannelBuffer) event.getMessage()).readableBytes());
        }
    }
}
