package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.testing.Await;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;

/**
 * Servers repeatedly take over from each other while clients send one request after another over persistent
 * connections. {@code -Dfreshet.test.drains=200} repeats it more often.
 */
class DrainUnderLoadTest {
    private static final int DRAINS = Integer.getInteger("freshet.test.drains", 3);
    private static final int CLIENTS = 8;

    /** Far longer than a client's thread can be delayed before its next request. */
    private static final Duration QUIET = Duration.ofMinutes(5);

    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final ExecutorService slowAnswers = Executors.newSingleThreadExecutor();

    /**
     * Read-locked while a client connects and waits for its first answer: the balancer sends no client to a server that
     * it removes.
     */
    private final ReadWriteLock balancer = new ReentrantReadWriteLock();

    private volatile InetSocketAddress current;
    private volatile boolean isOver;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger exchanges = new AtomicInteger();

    /** Answers with the target, every second time from another thread. */
    private final class Application extends SimpleChannelUpstreamHandler {
        private int count;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            String target = ((HttpRequest) e.getMessage()).getUri();
            Channel channel = e.getChannel();
            if (++count % 2 == 0) {
                slowAnswers.execute(() -> channel.write(WireExchange.response(200, target)));
            } else {
                channel.write(WireExchange.response(200, target));
            }
        }
    }

    /** Sends requests one after another until the test is over; leaves a connection when its server says so. */
    private final class Client implements Runnable {
        private int sent;

        @Override
        public void run() {
            try {
                while (!isOver) {
                    useOneConnection();
                }
            } catch (IOException | RuntimeException | Error e) {
                failures.add(e);
            }
        }

        private void useOneConnection() throws IOException {
            balancer.readLock().lock();
            boolean isLocked = true;
            try (Socket socket = new Socket()) {
                socket.setSoTimeout((int) Await.LIMIT.toMillis());
                socket.connect(current);
                BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
                boolean isKept = true;
                while (isKept && !isOver) {
                    isKept = exchange(socket, in);
                    if (isLocked) {
                        isLocked = false;
                        balancer.readLock().unlock();
                    }
                }
            } finally {
                if (isLocked) {
                    balancer.readLock().unlock();
                }
            }
        }

        private boolean exchange(Socket socket, BufferedReader in) throws IOException {
            String target = "/" + sent++;
            socket.getOutputStream().write(("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(ISO_8859_1));
            boolean isKept = true;
            assertEquals("HTTP/1.1 200 OK", in.readLine());
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                isKept &= !line.equals("Connection: close");
            }
            char[] content = new char[target.length()];
            for (int at = 0; at < content.length; ) {
                int read = in.read(content, at, content.length - at);
                assertTrue(read > 0, "the answer is not complete");
                at += read;
            }
            assertEquals(target, new String(content));
            exchanges.incrementAndGet();
            return isKept;
        }
    }

    private ServerBootstrap newServer() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(2));
        bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
                .aggregate(1024)
                .handler("application", Application::new)
                .build());
        return bootstrap;
    }

    private void switchTo(ServerBootstrap bootstrap) {
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        balancer.writeLock().lock();
        try {
            current = (InetSocketAddress) server.getLocalAddress();
        } finally {
            balancer.writeLock().unlock();
        }
    }

    @Test
    void shouldFailNoExchangeWhenServersAreDrainedUnderLoad() {
        List<Thread> clients = new ArrayList<>();
        ServerBootstrap serving = newServer();
        try {
            switchTo(serving);
            for (int i = 0; i < CLIENTS; i++) {
                Thread client = new Thread(new Client());
                client.start();
                clients.add(client);
            }
            for (int i = 0; i < DRAINS; i++) {
                int before = exchanges.get();
                Await.until(() -> exchanges.get() >= before + CLIENTS || !failures.isEmpty(), "the clients' work");
                ServerBootstrap next = newServer();
                ServerBootstrap old = serving;
                serving = next;
                switchTo(next);
                DrainReport report = Await.result(
                        Drain.of(old).quietPeriod(QUIET).deadline(QUIET).start(),
                        "the drain, with failures " + failures);
                old.releaseExternalResources();
                assertTrue(report.isClean(), report.toString());
                assertEquals(List.of(), List.copyOf(failures));
            }
        } finally {
            isOver = true;
            clients.forEach(Await::end);
            serving.releaseExternalResources();
            slowAnswers.shutdown();
            timer.stop();
        }
        assertEquals(List.of(), List.copyOf(failures));
    }
}
