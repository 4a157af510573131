package org.freshet.seams;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MemoryBudget;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateAwareChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateEvent;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.telemetry.StallWatch;
import org.freshet.testing.Await;
import org.freshet.util.Timer;

/** Finds out whether a server's protections work after the heap was full. For one thread. */
final class Protection {
    private final ChannelFactory factory;
    private final Timer timer;

    Protection(ChannelFactory factory, Timer timer) {
        this.factory = factory;
        this.timer = timer;
    }

    String check() throws Exception {
        return "counts=" + areCountsZero() + " budget=" + doesBudgetWork() + " timer=" + doesTimerWork() + " timeouts="
                + doTimeoutsWork() + " stalls=" + doesStallWatchWork();
    }

    private Channel bind(ChannelPipelineFactory pipelines) {
        ServerBootstrap bootstrap = new ServerBootstrap(factory);
        bootstrap.setPipelineFactory(pipelines);
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static int port(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    /** Nothing waits to be sent, and no channel is congested. */
    private static boolean areCountsZero() {
        Await.until(
                () -> MemoryBudget.getQueuedBytes() == 0 && MemoryBudget.getCongestedChannels() == 0,
                () -> MemoryBudget.getQueuedBytes() + " bytes wait, on " + MemoryBudget.getCongestedChannels()
                        + " congested channels");
        return true;
    }

    /** A connection that has more to send than a small budget allows is closed. */
    private boolean doesBudgetWork() throws Exception {
        long before = MemoryBudget.getClosed();
        CountDownLatch closed = new CountDownLatch(1);
        MemoryBudget.setLimit(1024 * 1024);
        Channel server = bind(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getChannel().getCloseFuture().addListener(done -> closed.countDown());
                for (int i = 0; i < 8; i++) {
                    ctx.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[1024 * 1024]));
                }
            }
        }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            boolean isClosed = peer.isConnected() && closed.await(10, TimeUnit.SECONDS);
            Await.until(() -> MemoryBudget.getClosed() > before, "the budget to count the closed connection");
            return isClosed;
        } finally {
            server.close();
        }
    }

    private boolean doesTimerWork() throws Exception {
        CountDownLatch fired = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            timer.newTimeout(timeout -> fired.countDown(), 100, TimeUnit.MILLISECONDS);
        }
        return fired.await(10, TimeUnit.SECONDS);
    }

    private boolean doTimeoutsWork() throws IOException, InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Channel server = bind(() -> Channels.pipeline(
                new ReadTimeoutHandler(timer, 200, TimeUnit.MILLISECONDS),
                new IdleStateHandler(timer, 0, 0, 100, TimeUnit.MILLISECONDS),
                new IdleStateAwareChannelUpstreamHandler() {
                    private boolean wasIdle;

                    @Override
                    public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
                        if (!wasIdle) {
                            wasIdle = true;
                            both.countDown();
                        }
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        if (e.getCause() instanceof ReadTimeoutException) {
                            both.countDown();
                            e.getChannel().close();
                        }
                    }
                }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            return peer.isConnected() && both.await(10, TimeUnit.SECONDS);
        } finally {
            server.close();
        }
    }

    /** A handler that blocks its loop is reported. */
    private boolean doesStallWatchWork() throws IOException, InterruptedException {
        CountDownLatch reported = new CountDownLatch(1);
        StallWatch.setLimit(Duration.ofMillis(100));
        StallWatch.setListener(stall -> reported.countDown());
        Channel server = bind(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws InterruptedException {
                reported.await(10, TimeUnit.SECONDS);
            }
        }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            return peer.isConnected() && reported.await(10, TimeUnit.SECONDS);
        } finally {
            StallWatch.setLimit(Duration.ZERO);
            server.close();
        }
    }
}
