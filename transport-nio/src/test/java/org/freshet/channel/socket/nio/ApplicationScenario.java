package org.freshet.channel.socket.nio;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.ServerChannelFactory;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.util.HashedWheelTimer;

/**
 * A complete use of Freshet by an application: servers and clients over sockets and within the JVM, a timer, a group,
 * and listeners called on the application's own thread. It uses no test classes, because a different class loader runs
 * it.
 */
final class ApplicationScenario implements Runnable {
    private static final int LIMIT_SECONDS = 30;

    private final CountDownLatch echoes = new CountDownLatch(2);

    @Override
    public void run() {
        HashedWheelTimer timer = new HashedWheelTimer();
        CountDownLatch timeOut = new CountDownLatch(1);
        timer.newTimeout(ignored -> timeOut.countDown(), 1, TimeUnit.MILLISECONDS);
        exchange(
                new NioServerSocketChannelFactory(1),
                new NioClientSocketChannelFactory(1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        exchange(
                new DefaultLocalServerChannelFactory(),
                new DefaultLocalClientChannelFactory(),
                new LocalAddress("scenario"));
        await(echoes, "echoes");
        await(timeOut, "a time-out");
        timer.stop();
    }

    private static void await(CountDownLatch latch, String awaited) {
        try {
            if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("timed out waiting for " + awaited);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void exchange(ServerChannelFactory servers, ChannelFactory clients, SocketAddress address) {
        ServerBootstrap server = new ServerBootstrap(servers);
        server.setPipelineFactory(() -> Channels.pipeline(new Echo()));
        ClientBootstrap client = new ClientBootstrap(clients);
        CountDownLatch echoed = new CountDownLatch(1);
        client.setPipelineFactory(() -> Channels.pipeline(new Counting(echoed)));
        Channel acceptor = server.bind(address);
        ChannelGroup group = new DefaultChannelGroup();
        group.add(acceptor);
        ChannelFuture connected = client.connect(acceptor.getLocalAddress()).awaitUninterruptibly();
        group.add(connected.getChannel());
        connected.addListener(future -> Channels.future(future.getChannel()).setSuccess()); // on this thread
        group.write(ChannelBuffers.copiedBuffer("hello", StandardCharsets.US_ASCII));
        await(echoed, "an echo");
        echoes.countDown();
        group.close().awaitUninterruptibly();
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    private static final class Counting extends SimpleChannelUpstreamHandler {
        private final CountDownLatch echoed;

        Counting(CountDownLatch echoed) {
            this.echoed = echoed;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            echoed.countDown();
        }
    }
}
