package org.freshet.dropin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** Typical use of ZooKeeper: sessions, large and small nodes, many requests in flight, watches. */
final class ZooKeeperExchange {
    private static final int CLIENTS = 5;
    private static final int NODES = 20;
    private static final int REQUESTS_IN_FLIGHT = 500;
    private static final int LARGE_NODE_BYTES = 200_000;
    private static final int DEADLINE_SECONDS = 30;

    private final Path directory;
    private final List<ZooKeeper> clients = new ArrayList<>();

    ZooKeeperExchange(Path directory) {
        this.directory = directory;
    }

    void run() throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(directory.toFile(), directory.toFile(), 2000);
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory(freeAddress(), CLIENTS);
        try {
            connections.startup(server);
            connect(connections.getLocalAddress());
            exchange();
        } finally {
            for (ZooKeeper client : clients) {
                client.close();
            }
            connections.shutdown();
        }
    }

    /** ZooKeeper sends its clients its configured port, so the port cannot be 0. */
    private static InetSocketAddress freeAddress() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void connect(InetSocketAddress server) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new ZooKeeper("127.0.0.1:" + server.getPort(), 10_000, event -> {
                if (event.getState() == KeeperState.SyncConnected) {
                    connected.countDown();
                }
            }));
        }
        await(connected, "sessions");
    }

    private void exchange() throws KeeperException, InterruptedException {
        ZooKeeper first = clients.get(0);
        first.create("/watched", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        CountDownLatch changes = new CountDownLatch(CLIENTS);
        for (ZooKeeper client : clients) {
            client.getData("/watched", event -> changes.countDown(), null);
            writeAndReadBack(client);
        }
        askAtOnce();
        first.setData("/watched", new byte[1], -1);
        await(changes, "changes of a watched node");
    }

    private static void writeAndReadBack(ZooKeeper client) throws KeeperException, InterruptedException {
        byte[] content = new byte[LARGE_NODE_BYTES];
        new Random(1).nextBytes(content);
        for (int i = 0; i < NODES; i++) {
            String node = client.create("/node", content, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            if (!Arrays.equals(content, client.getData(node, false, null))) {
                throw new IllegalStateException(node + " differs from what was written");
            }
            client.delete(node, -1);
        }
    }

    private void askAtOnce() throws InterruptedException {
        CountDownLatch answers = new CountDownLatch(CLIENTS * REQUESTS_IN_FLIGHT);
        for (int i = 0; i < REQUESTS_IN_FLIGHT; i++) {
            for (ZooKeeper client : clients) {
                client.exists("/watched", false, (code, path, context, stat) -> answers.countDown(), null);
            }
        }
        await(answers, "answers");
    }

    private static void await(CountDownLatch latch, String what) throws InterruptedException {
        if (!latch.await(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(latch.getCount() + " " + what + " are missing");
        }
    }
}
