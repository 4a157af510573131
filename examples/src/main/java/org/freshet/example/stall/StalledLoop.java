package org.freshet.example.stall;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.telemetry.Stall;
import org.freshet.telemetry.StallWatch;

/**
 * A handler blocks the I/O thread for a second with a look-up, and the watch names it. After an
 * {@link ExecutionHandler}, the same handler blocks only its own thread.
 */
public final class StalledLoop {
    private static final Duration LIMIT = Duration.ofMillis(200);
    private static final long LOOK_UP_MILLIS = 1000;

    private StalledLoop() {}

    public static void main(String[] args) throws Exception {
        new Arguments("stall", 0, 0, args);
        CountDownLatch over = new CountDownLatch(1);
        StallWatch.setLimit(LIMIT);
        StallWatch.setListener(stall -> {
            report(stall);
            if (stall.hasEnded()) {
                over.countDown();
            }
        });
        System.out.println("a handler that blocks, on the I/O thread:");
        ask(new ServerBootstrap(new NioServerSocketChannelFactory(1)), null);
        if (!over.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the watch has not reported the end of the stall");
        }
        System.out.println("the same, after an ExecutionHandler:");
        ExecutionHandler execution = new ExecutionHandler(new OrderedMemoryAwareThreadPoolExecutor(4, 0, 0));
        ask(new ServerBootstrap(new NioServerSocketChannelFactory(1)), execution);
        execution.releaseExternalResources();
        System.out.println("one stall was reported, none with the ExecutionHandler: right");
    }

    /** The watch calls this listener. Without a listener, it logs the same, with the stack. */
    private static void report(Stall stall) {
        System.out.println("  " + stall.loopName() + (stall.hasEnded() ? " continues after " : " has been blocked for ")
                + stall.nanos() / 1_000_000 + " ms by " + stall.location());
    }

    /** Sends one request and waits for the answer. */
    private static void ask(ServerBootstrap server, ExecutionHandler execution) throws InterruptedException {
        server.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (execution != null) {
                pipeline.addLast("execution", execution);
            }
            pipeline.addLast("lookUp", new LookUp());
            return pipeline;
        });
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());
        CountDownLatch answered = new CountDownLatch(1);
        client.setPipelineFactory(() -> Channels.pipeline(answeredBy(answered)));
        Channel channel = client.connect(bound.getLocalAddress()).sync().getChannel();
        channel.write(ChannelBuffers.wrappedBuffer(new byte[] {'?'})).sync();
        answered.await();
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    private static ChannelHandler answeredBy(CountDownLatch answered) {
        return new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                answered.countDown();
            }
        };
    }

    /** Represents anything that blocks: a database, a file, another service. */
    private static final class LookUp extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            Thread.sleep(LOOK_UP_MILLIS);
            e.getChannel().write(e.getMessage());
        }
    }
}
