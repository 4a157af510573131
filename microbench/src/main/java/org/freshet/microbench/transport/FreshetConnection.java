package org.freshet.microbench.transport;

import java.net.SocketAddress;
import java.util.concurrent.Executors;
import java.util.function.IntConsumer;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;

/** Over Freshet's NIO transport. */
final class FreshetConnection implements Connection {
    private final ClientBootstrap bootstrap;
    private final Channel channel;

    FreshetConnection(SocketAddress peer, IntConsumer received) {
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
