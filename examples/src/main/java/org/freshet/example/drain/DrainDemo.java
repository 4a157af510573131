package org.freshet.example.drain;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/**
 * A server is drained while three clients are connected: one waits for a quick answer, one for an answer that comes too
 * late, and one is idle.
 */
public final class DrainDemo implements AutoCloseable {
    private static final int MAX_LINE_BYTES = 256;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final ScheduledExecutorService stove = Executors.newSingleThreadScheduledExecutor();
    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap guests = new ClientBootstrap(new NioClientSocketChannelFactory());

    private DrainDemo() {
        server.setPipelineFactory(() -> lines(new KitchenHandler(stove)));
    }

    public static void main(String[] args) throws InterruptedException {
        new Arguments("drain", 0, 0, args);
        DrainReport report;
        try (DrainDemo demo = new DrainDemo()) {
            report = demo.run();
        }
        System.out.println(report);
    }

    private DrainReport run() throws InterruptedException {
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        CountDownLatch seated = new CountDownLatch(3);
        seat(bound, new GuestHandler("Ann", "soup 500", seated));
        seat(bound, new GuestHandler("Bob", "", seated));
        seat(bound, new GuestHandler("Cleo", "roast 60000", seated));
        seated.await();
        System.out.println("drain: the kitchen closes in " + DEADLINE.toSeconds() + " s at the latest");
        return Drain.of(server)
                .keepAccepting(Duration.ofMillis(200)) // a load balancer would need longer
                .deadline(DEADLINE)
                .start()
                .join();
    }

    private void seat(Channel bound, GuestHandler guest) {
        guests.setPipelineFactory(() -> lines(guest));
        Channel channel =
                guests.connect(bound.getLocalAddress()).awaitUninterruptibly().getChannel();
        if (!channel.isConnected()) {
            throw new IllegalStateException("cannot connect to " + bound.getLocalAddress());
        }
    }

    private static ChannelPipeline lines(ChannelHandler handler) {
        return Channels.pipeline(
                new LineBasedFrameDecoder(MAX_LINE_BYTES),
                new StringDecoder(StandardCharsets.US_ASCII),
                new StringEncoder(StandardCharsets.US_ASCII),
                handler);
    }

    @Override
    public void close() {
        server.releaseExternalResources();
        guests.releaseExternalResources();
        stove.shutdownNow();
    }
}
