package org.freshet.example.limits;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.AcceptGuard.WhenFull;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;

/**
 * A server whose handler writes more than its peers read, with three kinds of clients: some send requests and never
 * read, some connect when the server is full, and one behaves well.
 */
public final class LimitsDemo implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 9;
    private static final int GREEDY = MAX_CONNECTIONS - 1;
    private static final int LATE = 3;
    private static final int ANSWERS = 100;
    private static final int LIMIT_BYTES = 256 * 1024;
    private static final int PATIENCE_MILLIS = 10_000;

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final GenerousHandler handler = new GenerousHandler(this::onClosed);
    private final CountDownLatch overflows = new CountDownLatch(GREEDY);
    private final List<Socket> crowd = new ArrayList<>();

    // The guard resets connections beyond its limit; the options bound the memory used for each connection.
    private final AcceptGuard guard = AcceptGuard.builder()
            .maxConnections(MAX_CONNECTIONS)
            .whenFull(WhenFull.REFUSE)
            .build();

    private LimitsDemo() {
        server.setAcceptGuard(guard);
        server.setChildOption(ChannelOption.WRITE_BUFFER_LIMIT, LIMIT_BYTES);
        server.setChildOption(ChannelOption.WRITE_OVERFLOW, WriteOverflow.CLOSE);
        server.setChildOption(ChannelOption.WRITE_STALL_TIMEOUT_MILLIS, PATIENCE_MILLIS);
        server.setPipelineFactory(() -> Channels.pipeline(handler));
    }

    private void onClosed(ChannelFuture closed) {
        if (closed.getChannel().getCloseReason().kind() == Kind.OVERFLOW) {
            overflows.countDown();
        }
    }

    public static void main(String[] args) throws Exception {
        new Arguments("limits", 0, 0, args);
        try (LimitsDemo demo = new LimitsDemo()) {
            demo.run();
        }
    }

    private void run() throws Exception {
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Socket honest = connect(bound);
        ask(honest, 1);
        List<Socket> greedy = new ArrayList<>();
        for (int i = 0; i < GREEDY; i++) {
            Socket socket = connect(bound);
            ask(socket, 1); // it has been accepted
            greedy.add(socket);
        }
        int refused = connectLate(bound);
        for (Socket socket : greedy) {
            socket.getOutputStream().write('G'); // and never reads the answer
        }
        overflows.await();
        ask(honest, ANSWERS);
        System.out.println(
                "limits: " + refused + " of " + LATE + " were refused, because " + MAX_CONNECTIONS + " were open");
        System.out.println("limits: " + GREEDY + " requested " + (handler.askedBytes() >> 20) + " MiB and read nothing;"
                + " each was closed at " + LIMIT_BYTES / 1024 + " KiB");
        System.out.println("limits: the well-behaved client got its " + ANSWERS + " answers");
    }

    private Socket connect(Channel bound) throws IOException {
        Socket socket = new Socket();
        crowd.add(socket);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(bound.getLocalAddress());
        return socket;
    }

    private static void ask(Socket socket, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write('?');
            if (socket.getInputStream().read() != '?') {
                throw new IOException("no answer");
            }
        }
    }

    /** Returns how many were refused. */
    private int connectLate(Channel bound) throws IOException {
        int refused = 0;
        for (int i = 0; i < LATE; i++) {
            try {
                refused += connect(bound).getInputStream().read() < 0 ? 1 : 0;
            } catch (SocketException reset) { // during the connect or later
                refused++;
            }
        }
        return refused;
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : crowd) {
            socket.close();
        }
        server.releaseExternalResources();
    }
}
