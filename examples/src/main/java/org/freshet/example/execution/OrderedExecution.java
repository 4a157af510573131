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
 * Each request blocks for up to a second. First one connection sends 100 requests per second, then ten connections send
 * one each. For several ways to run the blocking handler, the program shows how many requests are answered, by how many
 * threads, and in which order.
 */
public final class OrderedExecution {
    private static final int DEFAULT_SECONDS = 3;
    private static final Load.Size ONE_CONNECTION = new Load.Size(1, 100);
    private static final Load.Size TEN_CONNECTIONS = new Load.Size(10, 1);
    private static final double GOOD_SHARE = 0.9;

    private OrderedExecution() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("ordered-execution [SECONDS]", 0, 1, args);
        int seconds = arguments.number(0, "seconds", 1, 3600, DEFAULT_SECONDS);
        System.out.printf(
                "ordered-execution: each request blocks for 0 to 1 s; %d s for each way to run the handler%n", seconds);
        System.out.println("one connection, 100 requests per second: ordered by channel, only one thread works");
        boolean good = compare(ONE_CONNECTION, seconds);
        System.out.println("ten connections, one request per second each: now they keep several threads busy");
        compare(TEN_CONNECTIONS, seconds);
        System.exit(good ? 0 : 1);
    }

    /** Returns whether those that should keep up did. */
    private static boolean compare(Load.Size size, int seconds) throws InterruptedException {
        System.out.printf("%-50s %10s  %8s  %s%n", "", "answers/s", "threads", "answers in order");
        boolean good = true;
        for (Way way : Way.all()) {
            SlowHandler slow = new SlowHandler();
            Load.Outcome outcome = run(way, slow, size, seconds);
            System.out.printf(
                    "%-50s %10.1f  %8d  %s%n", way.name(), outcome.answersPerSecond(), slow.threads(), outcome.order());
            good &= !way.keepsUpInOrder()
                    || outcome.isInOrder() && outcome.answersPerSecond() >= GOOD_SHARE * size.requestsPerSecond();
        }
        return good;
    }

    private static Load.Outcome run(Way way, SlowHandler slow, Load.Size size, int seconds)
            throws InterruptedException {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new FixedLengthFrameDecoder(Request.BYTES), new RequestDecoder(), way.handler(), slow));
        bootstrap.setOption("child.tcpNoDelay", true);
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return Load.offer(
                    (InetSocketAddress) server.getLocalAddress(),
                    size,
                    seconds,
                    answers -> System.out.println("  " + way.name() + ": " + answers + " answers in the last second"));
        } finally {
            bootstrap.releaseExternalResources(); // first, so that no event arrives at an executor that has ended
            way.end();
        }
    }
}
