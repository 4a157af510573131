package org.freshet.seams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.freshet.seams.Crowd.Way;
import org.freshet.testing.Await;

/**
 * A JVM of 64 MB that runs a {@link Crowd}, along with the crowd's clients, which never read, and their neighbours. For
 * one thread.
 */
final class Child implements AutoCloseable {
    private static final int LINE_SECONDS = 120;
    private static final int CLOSE_SECONDS = 60;

    private final Way way;
    private final Process process;
    private final OutputStream orders;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final AtomicInteger targets = new AtomicInteger();
    private final AtomicInteger closedTargets = new AtomicInteger();
    private final List<String> all = new ArrayList<>();
    private final Thread reader;
    private final List<Socket> crowd = new ArrayList<>();
    private final List<Socket> neighbours = new ArrayList<>();
    private final int crowdPort;
    private final int neighboursPort;

    Child(Way way, long budgetBytes) throws Exception {
        this.way = way;
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Crowd.class.getName(),
                        way.name(),
                        Long.toString(budgetBytes))
                .redirectErrorStream(true)
                .start();
        orders = process.getOutputStream();
        reader = new Thread(this::readLines, "output of a child");
        reader.start();
        String[] ports = await("ports").split(" ");
        crowdPort = Integer.parseInt(ports[1]);
        neighboursPort = Integer.parseInt(ports[2]);
    }

    private void readLines() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.equals(Crowd.TARGET)) {
                    targets.incrementAndGet();
                } else if (line.equals(Crowd.CLOSED)) {
                    closedTargets.incrementAndGet();
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException closed) {
            lines.add("the output ended: " + closed);
        }
    }

    /** Returns the next line with this prefix. */
    String await(String beginning) throws InterruptedException {
        String line;
        do {
            line = lines.poll(LINE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("timed out waiting for " + beginning + "; the child "
                        + (process.isAlive() ? "lives" : "has ended") + " and said " + all);
            }
            all.add(line);
        } while (!line.startsWith(beginning));
        return line;
    }

    void order(String command) throws IOException {
        orders.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        orders.flush();
    }

    // ---- clients ----------------------------------------------------------------------------------------------------

    private Socket connect(int port, int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    /**
     * Clients connect and disconnect before the attack: what a JVM does for the first time, such as the first close,
     * takes memory.
     */
    void visit(int count) throws Exception {
        connectCrowd(count);
        connectNeighbours(count);
        exchange(1);
        leaveCrowd();
        leaveNeighbours();
        Await.until(() -> closedTargets.get() == count, "the end of visits");
    }

    void connectCrowd(int count) throws Exception {
        int before = targets.get();
        for (int i = 0; i < count; i++) {
            Socket socket = connect(crowdPort, 8 * 1024);
            crowd.add(socket);
            introduce(socket);
        }
        Await.until(() -> targets.get() >= before + count, () -> "the crowd; there are " + targets);
    }

    /** Sends what makes the server write. */
    private void introduce(Socket socket) throws Exception {
        switch (way) {
            case TLS -> {
                SSLSocket tls =
                        (SSLSocket) TrustAll.context().getSocketFactory().createSocket(socket, "localhost", 0, true);
                tls.startHandshake();
            }
            case HTTP_1 -> send(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            case HTTP_2 -> new RawHttp2(socket, 0).get(1);
            case WEB_SOCKET, WEB_SOCKET_BROADCAST, OIO_WEB_SOCKET ->
                send(
                        socket,
                        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
            default -> {}
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** They read slower than they are written to: one after another, with little in transit. */
    void connectNeighbours(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            neighbours.add(connect(neighboursPort, 32 * 1024));
        }
    }

    /** All neighbours send a request, and then each reads its answer in turn, round after round. */
    void exchange(int rounds) throws IOException {
        for (int round = 0; round < rounds; round++) {
            byte asked = (byte) ('a' + round % 26);
            for (Socket neighbour : neighbours) {
                neighbour.getOutputStream().write(asked);
            }
            for (Socket neighbour : neighbours) {
                try {
                    Answers.read(neighbour.getInputStream(), asked);
                } catch (IOException e) {
                    throw new IOException(
                            "a neighbour is not answered; the child " + (process.isAlive() ? "lives" : "has ended")
                                    + " and said " + lines,
                            e);
                }
            }
        }
    }

    /** Exchanges messages until the child has closed the given number of crowd connections. */
    void exchangeUntilClosed(int count) throws IOException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        while (closedTargets.get() < count) {
            if (System.nanoTime() - endNanos > 0) {
                throw new AssertionError("closed " + closedTargets + " of the crowd, not " + count);
            }
            exchange(1);
        }
    }

    void leaveCrowd() throws IOException {
        for (Socket socket : crowd) {
            socket.close();
        }
        crowd.clear();
    }

    void leaveNeighbours() throws IOException {
        for (Socket socket : neighbours) {
            socket.close();
        }
        neighbours.clear();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        leaveCrowd();
        leaveNeighbours();
        process.destroyForcibly();
        CountDownLatch ended = new CountDownLatch(1);
        process.onExit().thenRun(ended::countDown);
        Await.latch(ended, "the end of the child");
        Await.end(reader);
    }

    /** For the clients of a certificate created by the child. */
    private static final class TrustAll extends javax.net.ssl.X509ExtendedTrustManager {
        static javax.net.ssl.SSLContext context() throws java.security.GeneralSecurityException {
            javax.net.ssl.SSLContext context = javax.net.ssl.SSLContext.getInstance("TLS");
            context.init(null, new javax.net.ssl.TrustManager[] {new TrustAll()}, null);
            return context;
        }

        @Override
        public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(
                java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(
                java.security.cert.X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String type) {}

        @Override
        public java.security.cert.X509Certificate[] getAcceptedIssuers() {
            return new java.security.cert.X509Certificate[0];
        }
    }
}
