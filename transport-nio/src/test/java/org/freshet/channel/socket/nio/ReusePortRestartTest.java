package org.freshet.channel.socket.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Two processes on one port, restarted in turn while clients connect. The kernel has to hand over what waits to be accepted, which takes
 * Linux 5.14 and {@code net.ipv4.tcp_migrate_req=1}; a network namespace has a setting of its own:
 *
 * <pre>
 * unshare -n sh -c 'ip link set lo up; sysctl -w net.ipv4.tcp_migrate_req=1
 *     mvn test -pl transport-nio -am -Dtest=ReusePortRestartTest -Dfreshet.test.reuseport=true -Dsurefire.failIfNoSpecifiedTests=false'
 * </pre>
 */
@EnabledIfSystemProperty(
        named = "freshet.test.reuseport",
        matches = "true",
        disabledReason = "starts processes for half a minute")
class ReusePortRestartTest {
    private static final int RESTARTS = 6;
    private static final int DESCRIPTORS = 1000;

    /** Echoes until its input ends; then accepts nothing more, and exits with its last connection. */
    static final class Server {
        public static void main(String[] args) throws IOException {
            ChannelGroup connections = new DefaultChannelGroup();
            ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
            bootstrap.setOption(ChannelOption.REUSE_PORT, true);
            bootstrap.setOption(ChannelOption.BACKLOG, 500);
            bootstrap.setPipelineFactory(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                @Override
                public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    connections.add(e.getChannel());
                }

                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    e.getChannel().write(e.getMessage());
                }
            }));
            Channel server =
                    bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port")));
            System.out.println("port " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            while (System.in.read() >= 0) {
                System.out.println("waiting for the end");
            }
            server.close().awaitUninterruptibly();
            Await.until(connections::isEmpty, "the end of the last connection");
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean migrates() throws IOException {
        Path setting = Path.of("/proc/sys/net/ipv4/tcp_migrate_req");
        return Files.exists(setting) && Files.readString(setting).strip().equals("1");
    }

    private static ChildJvm start(int port) throws IOException {
        return new ChildJvm(Server.class, DESCRIPTORS, "-Dport=" + port);
    }

    private static int awaitPort(ChildJvm child) throws InterruptedException {
        return Integer.parseInt(
                child.awaitLine(line -> line.startsWith("port "), "its port").substring("port ".length()));
    }

    /** Connects repeatedly until interrupted. */
    private static final class Client extends Thread {
        private final int port;
        private final Queue<Throwable> failures;
        private final AtomicInteger served;

        Client(int port, Queue<Throwable> failures, AtomicInteger served) {
            super("client");
            this.port = port;
            this.failures = failures;
            this.served = served;
        }

        @Override
        public void run() {
            while (!isInterrupted()) {
                try (Socket socket = new Socket()) {
                    socket.setSoTimeout((int) Await.LIMIT.toMillis());
                    socket.setSoLinger(true, 0); // without a pause, connections would exhaust the ports
                    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    socket.getOutputStream().write(1);
                    assertEquals(1, socket.getInputStream().read());
                    served.incrementAndGet();
                } catch (IOException | AssertionError e) {
                    failures.add(e);
                }
            }
        }
    }

    @Test
    void shouldRefuseNoConnectionWhileProcessesAreRestartedInTurn() throws Exception {
        assumeTrue(migrates(), "net.ipv4.tcp_migrate_req is not 1");
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        AtomicInteger served = new AtomicInteger();
        ChildJvm running = start(0);
        int port = awaitPort(running);
        List<Client> clients = List.of(
                new Client(port, failures, served),
                new Client(port, failures, served),
                new Client(port, failures, served));
        clients.forEach(Thread::start);
        try {
            for (int i = 0; i < RESTARTS; i++) {
                ChildJvm next = start(port);
                assertEquals(port, awaitPort(next));
                int before = served.get();
                Await.until(() -> served.get() > before + 100, "connections to both");
                assertEquals(0, running.end());
                running.close();
                running = next;
                int after = served.get();
                Await.until(() -> served.get() > after + 100, "connections to the other");
            }
        } finally {
            clients.forEach(Thread::interrupt);
            for (Client client : clients) {
                client.join();
            }
            running.close();
        }
        assertTrue(failures.isEmpty(), () -> failures.size() + " of " + served + ": " + failures.peek());
    }
}
