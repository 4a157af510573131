package org.freshet.example.execution;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;

/**
 * One connection sends 100 requests a second, and each blocks for up to a second. Compares how many of them are answered, and
 * in which order, when the handler that blocks is run in one way or another.
 */
public final class OrderedExecution {
    private static final int DEFAULT_SECONDS = 4;
    private static final double GOOD_RATE = 0.9 * Load.REQUESTS_PER_SECOND;

    private OrderedExecution() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("ordered-execution [SECONDS]", 0, 1, args);
        int seconds = arguments.number(0, "seconds", 1, 3600, DEFAULT_SECONDS);
        System.out.printf(
                "ordered-execution: one connection, %d requests a second for %d s each way, each request blocks 0 to 1 s%n",
                Load.REQUESTS_PER_SECOND, seconds);
        System.out.printf("%-50s %10s  %s%n", "", "requests/s", "answers in order");
        boolean good = true;
        for (Way way : Way.all()) {
            Load.Outcome outcome = run(way, seconds);
            System.out.printf("%-50s %10.1f  %s%n", way.name(), outcome.answersPerSecond(), outcome.order());
            good &= !way.keepsUpInOrder() || outcome.isInOrder() && outcome.answersPerSecond() >= GOOD_RATE;
        }
        System.exit(good ? 0 : 1);
    }

    private static Load.Outcome run(Way way, int seconds) throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        SlowHandler slow = new SlowHandler();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new FixedLengthFrameDecoder(Request.BYTES), new RequestDecoder(), way.handler(), slow));
        bootstrap.setOption("child.tcpNoDelay", true);
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return Load.offer((InetSocketAddress) server.getLocalAddress(), seconds);
        } finally {
            way.end();
            bootstrap.releaseExternalResources();
        }
    }
}
