package org.freshet.microbench.transport;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;

/**
 * Compares the cost of a round trip over a Unix domain socket and over TCP loopback. An echo server and a client with
 * one message in flight, both in this process, use each kind of socket in turn for a slice, so that a disturbance of
 * the machine affects both. Prints the process's CPU time per round trip (the minimum over the slices, for each kind)
 * and the median ratio of pairs of slices.
 *
 * <pre>
 *   java -cp microbench/target/benchmarks.jar org.freshet.microbench.transport.UnixSocketComparison
 * </pre>
 */
public final class UnixSocketComparison {
    private static final int ROUNDS = 21;
    private static final int WARM_UP_ROUNDS = 4;
    private static final int ROUND_TRIPS = 30_000;

    private UnixSocketComparison() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("freshet");
        for (int bytes : new int[] {64, 16 * 1024}) {
            SocketAddress path = UnixDomainSocketAddress.of(folder.resolve("echo.sock"));
            SocketAddress port = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (Echo unix = new Echo(
                            new NioUnixServerChannelFactory(1), new NioUnixClientChannelFactory(1), path, bytes);
                    Echo tcp = new Echo(
                            new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1), port, bytes)) {
                compare(bytes, unix, tcp);
            }
        }
        Files.delete(folder);
    }

    private static void compare(int bytes, Echo unix, Echo tcp) throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        double leastUnix = Double.MAX_VALUE;
        double leastTcp = Double.MAX_VALUE;
        for (int i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++) {
            double a = unix.slice();
            double b = tcp.slice();
            if (i >= WARM_UP_ROUNDS) {
                ratios.add(a / b);
                leastUnix = Math.min(leastUnix, a);
                leastTcp = Math.min(leastTcp, b);
            }
        }
        ratios.sort(null);
        System.out.printf(
                Locale.ROOT,
                "%5d B: Unix %.2f us, TCP %.2f us, minimum %.2fx, median of pairs %.2fx%n",
                bytes,
                leastUnix,
                leastTcp,
                leastUnix / leastTcp,
                ratios.get(ratios.size() / 2));
    }

    /** A server and a client with one kind of socket. */
    private static final class Echo implements AutoCloseable {
        private final ServerBootstrap server;
        private final ClientBootstrap client;
        private final Channel channel;
        private final ChannelBuffer message;
        private volatile int left;
        private volatile CountDownLatch done;

        Echo(ChannelFactory servers, ChannelFactory clients, SocketAddress address, int bytes) {
            server = new ServerBootstrap(servers);
            server.setPipelineFactory(() -> Channels.pipeline(new Echoing()));
            client = new ClientBootstrap(clients);
            client.setPipelineFactory(() -> Channels.pipeline(new Asking()));
            message = ChannelBuffers.wrappedBuffer(new byte[bytes]);
            SocketAddress bound = server.bind(address).getLocalAddress();
            channel = client.connect(bound).syncUninterruptibly().getChannel();
        }

        /** Returns microseconds of CPU time per round trip. */
        double slice() throws InterruptedException {
            done = new CountDownLatch(1);
            left = ROUND_TRIPS;
            long before = processNanos();
            channel.write(message.duplicate());
            done.await();
            return (processNanos() - before) / 1000.0 / ROUND_TRIPS;
        }

        private static long processNanos() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }

        @Override
        public void close() {
            client.releaseExternalResources();
            server.releaseExternalResources();
        }

        private static final class Echoing extends SimpleChannelUpstreamHandler {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                e.getChannel().write(e.getMessage());
            }
        }

        private final class Asking extends SimpleChannelUpstreamHandler {
            private int received;

            @Override
            @SuppressWarnings("NonAtomicOperationOnVolatileField") // one message is in flight
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                received += ((ChannelBuffer) e.getMessage()).readableBytes();
                if (received < message.readableBytes()) {
                    return;
                }
                received = 0;
                if (--left > 0) {
                    e.getChannel().write(message.duplicate());
                } else {
                    done.countDown();
                }
            }
        }
    }
}
