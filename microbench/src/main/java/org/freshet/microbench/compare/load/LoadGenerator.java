package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The client side of an echo, the same for all peers: one thread, one selector, every byte checked.
 *
 * <p>It is a closed loop: each connection keeps a fixed number of messages in flight and sends the next when one has
 * come back. All methods belong to the thread that created the generator.
 */
public final class LoadGenerator implements Generator {
    /**
     * Connections that may wait for their first echo at the same time: less than any backlog, so that no SYN is
     * dropped.
     */
    private static final int MAX_UNPROVEN_CONNECTIONS = 64;

    /** A prime: the offset between the streams of two consecutive connections. */
    private static final int MESSAGES_APART = 7919;

    private static final long STALL_NANOS = Duration.ofSeconds(20).toNanos();
    private static final long PROGRESS_EVERY_NANOS = Duration.ofMillis(250).toNanos();
    private static final int RECEIVE_BYTES = 256 * 1024;

    private final InetSocketAddress server;
    private final Load load;
    private final Wire.Factory wires;
    private final Exchange exchange;
    private final ByteBuffer space = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    private final Selector selector;
    private final List<EchoConnection> connections = new ArrayList<>();

    private Stopwatch watch;
    private long budget;
    private long outstanding;
    private long completed;
    private long deadlineNanos;

    /** The amount of load: {@code depth} messages of {@code messageBytes} in flight on each of {@code connections}. */
    public record Load(int connections, int messageBytes, int depth, long seed) {}

    /** A generator for the server at {@code port} on the loopback address; connects with {@link #connect}. */
    public LoadGenerator(int port, Load load) throws IOException {
        this(port, load, Wire.Plain::new);
    }

    private LoadGenerator(int port, Load load, Wire.Factory wires) throws IOException {
        this(port, load, wires, Exchange.echo(new Pattern(load.seed()), load.messageBytes()));
    }

    private LoadGenerator(int port, Load load, Wire.Factory wires, Exchange exchange) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.load = load;
        this.wires = wires;
        this.exchange = exchange;
        this.selector = Selector.open();
    }

    /** The same load; each message is a line. */
    public static LoadGenerator ofLines(int port, Load load) throws IOException {
        Pattern lines = Pattern.ofLines(load.seed(), load.messageBytes());
        return new LoadGenerator(port, load, Wire.Plain::new, Exchange.echo(lines, load.messageBytes()));
    }

    /**
     * Sends the HTTP request of {@link HttpDialect}. The answer is requested and checked once before the run, and must
     * always be the same; the message size of {@code load} is ignored.
     */
    public static LoadGenerator ofRequests(int port, Load load) throws IOException {
        Exchange exchange = Exchange.of(HttpDialect.request(), HttpDialect.answerOf(port));
        return new LoadGenerator(port, load, Wire.Plain::new, exchange);
    }

    /** Sends requests with content of the load's message size, which are answered when all of it has arrived. */
    public static LoadGenerator ofPosts(int port, Load load) throws IOException {
        int bytes = load.messageBytes();
        Exchange exchange = Exchange.of(HttpDialect.post(bytes), HttpDialect.answerToPost(port, bytes));
        return new LoadGenerator(port, load, Wire.Plain::new, exchange);
    }

    /** Requests the file of {@link FileDialect}, of the load's message size; every byte of it is checked. */
    public static LoadGenerator ofFiles(int port, Load load) throws IOException {
        int bytes = load.messageBytes();
        Exchange exchange = Exchange.of(FileDialect.request(), FileDialect.content(bytes));
        return new LoadGenerator(port, load, channel -> new ContentWire(channel, bytes), exchange);
    }

    /** The same load; each message is one of {@link WebSocketDialect} with that many bytes of content. */
    public static LoadGenerator ofWebSocket(int port, Load load, WebSocketDialect.Content content) throws IOException {
        Exchange exchange = Exchange.of(
                WebSocketDialect.frame(content, load.messageBytes(), true),
                WebSocketDialect.frame(content, load.messageBytes(), false));
        return new LoadGenerator(port, load, WebSocketDialect::upgrade, exchange);
    }

    /** The same, with each connection's WebSocket on an HTTP/2 stream. */
    public static LoadGenerator ofWebSocketOverHttp2(int port, Load load, WebSocketDialect.Content content)
            throws IOException {
        byte[] request = WebSocketDialect.frame(content, load.messageBytes(), true);
        Exchange exchange = Exchange.of(request, WebSocketDialect.frame(content, load.messageBytes(), false));
        return new LoadGenerator(port, load, channel -> new TunnelWire(channel, request.length), exchange);
    }

    /** The same load, but each connection receives its partner's messages; see {@link RelayDialect}. */
    public static LoadGenerator ofRelays(int port, Load load) throws IOException {
        return new LoadGenerator(port, load, RelayDialect::pair);
    }

    /** The same load over TLS, see {@link Tls}. */
    public static LoadGenerator overTls(int port, Load load) throws IOException {
        return new LoadGenerator(port, load, channel -> new TlsWire(channel, Tls.clientEngine()));
    }

    @Override
    public Outcome connect() throws IOException {
        begin(0, Duration.ofDays(1));
        while (connections.size() < load.connections()) {
            if (outstanding < MAX_UNPROVEN_CONNECTIONS) {
                open(connections.size());
                select(0);
            } else {
                selectOrFail();
            }
        }
        drain(done -> {});
        return watch.outcome(completed);
    }

    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        begin(messages, limit);
        for (EchoConnection connection : connections) {
            sendNext(connection, load.depth());
        }
        drain(progress);
        return watch.outcome(completed);
    }

    @Override
    public void close() throws IOException {
        for (EchoConnection connection : connections) {
            connection.wire.close();
        }
        selector.close();
    }

    private void begin(long messages, Duration limit) {
        budget = messages;
        outstanding = 0;
        completed = 0;
        watch = new Stopwatch();
        deadlineNanos = System.nanoTime() + limit.toNanos();
    }

    private void open(int index) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(server);
            add(index, channel, wires.over(channel));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void add(int index, SocketChannel channel, Wire wire) throws IOException {
        long firstMessage = (long) index * MESSAGES_APART;
        EchoConnection connection = new EchoConnection(index, wire, exchange, firstMessage, load.depth());
        connections.add(connection);
        channel.configureBlocking(false);
        connection.attachTo(channel.register(selector, SelectionKey.OP_READ, connection));
        budget++;
        sendNext(connection, 1);
    }

    private void drain(LongConsumer progress) throws IOException {
        long nextProgressNanos = System.nanoTime() + PROGRESS_EVERY_NANOS;
        while (outstanding > 0) {
            selectOrFail();
            long now = System.nanoTime();
            if (now - nextProgressNanos >= 0) {
                progress.accept(completed);
                nextProgressNanos = now + PROGRESS_EVERY_NANOS;
            }
            if (now - deadlineNanos >= 0) {
                budget = 0;
            }
        }
    }

    private void selectOrFail() throws IOException {
        if (select(STALL_NANOS / 1_000_000) == 0) {
            throw new IOException("the server sent nothing for " + STALL_NANOS / 1_000_000_000 + " s, " + outstanding
                    + " messages are missing");
        }
    }

    private int select(long timeoutMillis) throws IOException {
        try {
            return timeoutMillis == 0
                    ? selector.selectNow(this::onReady)
                    : selector.select(this::onReady, timeoutMillis);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void onReady(SelectionKey key) {
        EchoConnection connection = (EchoConnection) key.attachment();
        try {
            if (key.isWritable()) {
                connection.flush();
            }
            if (key.isReadable()) {
                int whole = connection.receive(space, watch);
                completed += whole;
                outstanding -= whole;
                sendNext(connection, whole);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendNext(EchoConnection connection, int wanted) throws IOException {
        int count = (int) Math.min(wanted, budget);
        if (count > 0) {
            budget -= count;
            outstanding += count;
            connection.queue(count, System.nanoTime());
            connection.flush();
        }
    }
}
