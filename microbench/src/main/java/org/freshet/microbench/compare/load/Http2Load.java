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
 * Requests over HTTP/2 with prior knowledge, the same for all peers: one thread, one selector. It is a closed loop:
 * each connection keeps a number of streams in flight and opens the next when one has been answered. All methods belong
 * to the thread that created the load.
 */
public final class Http2Load implements Generator {
    private static final long STALL_NANOS = Duration.ofSeconds(20).toNanos();
    private static final long PROGRESS_EVERY_NANOS = Duration.ofMillis(250).toNanos();
    private static final int RECEIVE_BYTES = 256 * 1024;

    private final InetSocketAddress server;
    private final Requests requests;
    private final Http2Dialect dialect;
    private final Wire.Factory wires;
    private final ByteBuffer space = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    private final Selector selector;
    private final List<Http2Connection> connections = new ArrayList<>();

    private Stopwatch watch;
    private long budget;
    private long outstanding;
    private long completed;

    /**
     * The requests of a load.
     *
     * @param streams requests in flight on each of {@code connections}
     * @param bodyBytes content of each request; the answer is then their number. 0 for a GET
     * @param answerBytes content of the answer to a GET
     */
    public record Requests(int connections, int streams, int bodyBytes, int answerBytes) {}

    /** A load for the server at {@code port}, over TLS and without ALPN. */
    public static Http2Load overTls(int port, Requests requests) throws IOException {
        return new Http2Load(port, requests, channel -> new TlsWire(channel, Tls.clientEngine()));
    }

    /** A load for the server at {@code port} on the loopback address; connects with {@link #connect}. */
    public Http2Load(int port, Requests requests) throws IOException {
        this(port, requests, Wire.Plain::new);
    }

    private Http2Load(int port, Requests requests, Wire.Factory wires) throws IOException {
        this.wires = wires;
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.requests = requests;
        dialect = new Http2Dialect(requests.bodyBytes(), requests.answerBytes());
        selector = Selector.open();
    }

    /** Makes one request on each connection, one connection after the other. */
    @Override
    public Outcome connect() throws IOException {
        begin(0);
        while (connections.size() < requests.connections()) {
            open(connections.size());
            drain(Long.MAX_VALUE, done -> {});
        }
        return watch.outcome(completed);
    }

    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        begin(messages);
        for (Http2Connection connection : connections) {
            sendNext(connection, requests.streams());
        }
        drain(limit.toNanos(), progress);
        return watch.outcome(completed);
    }

    @Override
    public void close() throws IOException {
        for (Http2Connection connection : connections) {
            connection.close();
        }
        selector.close();
    }

    private void begin(long messages) {
        budget = messages;
        outstanding = 0;
        completed = 0;
        watch = new Stopwatch();
    }

    private void open(int index) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(server);
            Wire wire = wires.over(channel);
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            Http2Connection connection = new Http2Connection(index, wire, key, dialect, requests.streams());
            key.attach(connection);
            connections.add(connection);
            budget++;
            sendNext(connection, 1);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void drain(long limitNanos, LongConsumer progress) throws IOException {
        long nextProgressNanos = PROGRESS_EVERY_NANOS;
        while (outstanding > 0) {
            selectOrFail();
            long elapsedNanos = watch.elapsedNanos();
            if (elapsedNanos >= nextProgressNanos) {
                progress.accept(completed);
                nextProgressNanos = elapsedNanos + PROGRESS_EVERY_NANOS;
            }
            if (elapsedNanos >= limitNanos) {
                budget = 0;
            }
        }
    }

    private void selectOrFail() throws IOException {
        try {
            if (selector.select(this::onReady, STALL_NANOS / 1_000_000) == 0) {
                throw new IOException("the server sent nothing for " + STALL_NANOS / 1_000_000_000 + " s, "
                        + outstanding + " answers are missing");
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void onReady(SelectionKey key) {
        Http2Connection connection = (Http2Connection) key.attachment();
        try {
            if (key.isReadable()) {
                int answered = connection.receive(space, watch);
                completed += answered;
                outstanding -= answered;
                sendNext(connection, answered);
            } else {
                connection.request(0);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendNext(Http2Connection connection, int wanted) throws IOException {
        int count = (int) Math.min(wanted, budget);
        budget -= count;
        outstanding += count;
        connection.request(count);
    }
}
