package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Connections that send slow requests in rotation at a steady rate, without waiting for answers. Checks that each
 * answer belongs to an unanswered request of the same connection, and in which order answers arrive. All methods belong
 * to the thread that created the load.
 */
public final class PacedLoad implements Generator {
    private static final long PROGRESS_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final InetSocketAddress server;
    private final long intervalNanos;
    private final Selector selector;
    private final Connection[] connections;
    private final Map<Integer, Long> unansweredSinceNanos = new HashMap<>();
    private final Map<Integer, Integer> lastOfCustomer = new HashMap<>();
    /** The server's threads that answered in the last run. */
    private final Set<Integer> threads = new HashSet<>();

    private int nextNumber;
    private boolean inOrder = true;
    private boolean inOrderOfCustomers = true;

    /** One of the connections, which send in rotation. */
    private static final class Connection {
        final SocketChannel channel;
        final ByteBuffer received = ByteBuffer.allocate(64 * 1024);
        int lastNumber;

        Connection(SocketChannel channel, int lastNumber) {
            this.channel = channel;
            this.lastNumber = lastNumber;
        }
    }

    /** A load with one connection for the server at {@code port} on the loopback address. */
    public PacedLoad(int port, int requestsPerSecond) throws IOException {
        this(port, requestsPerSecond, 1);
    }

    /** @param requestsPerSecond the total of all connections */
    public PacedLoad(int port, int requestsPerSecond, int connections) throws IOException {
        this.connections = new Connection[connections];
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / requestsPerSecond;
        this.selector = Selector.open();
    }

    /** Opens the connections; the server sends nothing before the first request. */
    @Override
    public Outcome connect() throws IOException {
        Stopwatch watch = new Stopwatch();
        for (int i = 0; i < connections.length; i++) {
            SocketChannel channel = SocketChannel.open(server);
            connections[i] = new Connection(channel, i - connections.length);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        }
        return watch.outcome(connections.length);
    }

    /**
     * Sends {@code messages}, one per interval, and returns at the end of the last interval. The outcome counts the
     * answers received in that time, to any requests.
     *
     * @param progress receives the number of answers, several times per second
     * @param limit ends the run earlier if it is shorter
     */
    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        threads.clear();
        Stopwatch watch = new Stopwatch();
        long wholeNanos = Math.min(messages * intervalNanos, limit.toNanos());
        long nextProgressNanos = PROGRESS_EVERY_NANOS;
        long sent = 0;
        long answers = 0;
        for (long elapsed = 0; elapsed < wholeNanos; elapsed = watch.elapsedNanos()) {
            while (sent * intervalNanos <= elapsed && sent < messages) {
                send(SlowRequest.numbered(nextNumber++));
                sent++;
            }
            long untilNextNanos = Math.min(sent * intervalNanos, wholeNanos) - watch.elapsedNanos();
            selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(untilNextNanos)));
            for (Connection connection : connections) {
                answers += receive(connection, watch);
            }
            if (elapsed >= nextProgressNanos) {
                progress.accept(answers);
                nextProgressNanos = elapsed + PROGRESS_EVERY_NANOS;
            }
        }
        return watch.outcome(answers);
    }

    /** Returns whether each connection's answers have so far arrived in the order of its requests. */
    public boolean isInOrder() {
        return inOrder;
    }

    /** Returns the same, ignoring the order between customers. */
    public boolean isInOrderOfCustomers() {
        return inOrderOfCustomers;
    }

    /** Returns how many threads of the server answered in the last run. */
    public int threads() {
        return threads.size();
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.channel.close();
            }
        }
        selector.close();
    }

    private void send(SlowRequest request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request.toBytes());
        connections[request.number() % connections.length].channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("the server does not read, request " + request.number() + " cannot be sent");
        }
        unansweredSinceNanos.put(request.number(), System.nanoTime());
    }

    private int receive(Connection connection, Stopwatch watch) throws IOException {
        ByteBuffer received = connection.received;
        if (connection.channel.read(received) < 0) {
            throw new EOFException(
                    "the server closed a connection, " + unansweredSinceNanos.size() + " answers are missing");
        }
        received.flip();
        int answers = 0;
        while (received.remaining() >= SlowRequest.ANSWER_BYTES) {
            onAnswer(SlowRequest.readFrom(received), connection, watch);
            threads.add(received.getInt());
            answers++;
        }
        received.compact();
        return answers;
    }

    private void onAnswer(SlowRequest answered, Connection connection, Stopwatch watch) throws IOException {
        Long sinceNanos = unansweredSinceNanos.remove(answered.number());
        boolean isOwn = connections[Math.floorMod(answered.number(), connections.length)] == connection;
        if (sinceNanos == null || !isOwn || !answered.equals(SlowRequest.numbered(answered.number()))) {
            throw new IOException("an unexpected answer: " + answered);
        }
        watch.lap(sinceNanos);
        inOrder &= answered.number() == connection.lastNumber + connections.length;
        connection.lastNumber = answered.number();
        Integer before = lastOfCustomer.put(answered.customer(), answered.number());
        inOrderOfCustomers &= before == null || before < answered.number();
    }
}
