package org.freshet.microbench.compare.load;

import java.io.EOFException;
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
 * One sender, many receivers: the first connection sends a burst of messages, the server sends each to all connections,
 * and the next burst follows when all have received it. The server sends {@link #GREETING} to each connection once that
 * has joined the group.
 */
public final class FanoutLoad implements Generator {
    /** The first byte that the server sends on each connection. */
    public static final byte GREETING = '!';

    private static final Duration STALL = Duration.ofSeconds(20);
    private static final int RECEIVE_BYTES = 64 * 1024;

    private final InetSocketAddress server;
    private final int listeners;
    private final int messageBytes;
    private final int burst;
    private final Pattern pattern;
    private final ByteBuffer space = ByteBuffer.allocateDirect(RECEIVE_BYTES);
    private final Selector selector;
    private final List<Listener> all = new ArrayList<>();

    private long sentBytes;
    /** Bytes still to be received, over all connections. */
    private long missingBytes;

    /** One connection, and its progress in the common stream. */
    private static final class Listener {
        private final SocketChannel channel;
        private boolean greeted;
        private long receivedBytes;

        Listener(SocketChannel channel) {
            this.channel = channel;
        }
    }

    /**
     * A load with {@code listeners} connections, including the sender, for the server at {@code port}.
     *
     * @param burst number of messages in one burst; a server must have room for all of them
     */
    public FanoutLoad(int port, int listeners, int messageBytes, int burst, long seed) throws IOException {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.listeners = listeners;
        this.messageBytes = messageBytes;
        this.burst = burst;
        this.pattern = new Pattern(seed);
        this.selector = Selector.open();
    }

    @Override
    public Outcome connect() throws IOException {
        Stopwatch watch = new Stopwatch();
        while (all.size() < listeners) {
            SocketChannel channel = SocketChannel.open();
            Listener listener = new Listener(channel);
            all.add(listener);
            channel.connect(server);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, listener);
            missingBytes++;
            drain();
        }
        return watch.outcome(listeners);
    }

    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        Stopwatch watch = new Stopwatch();
        long sent = 0;
        while (sent < messages && watch.elapsedNanos() < limit.toNanos()) {
            long sentAtNanos = System.nanoTime();
            int count = (int) Math.min(burst, messages - sent);
            send(count);
            drain();
            watch.lap(sentAtNanos);
            sent += count;
            progress.accept(sent * listeners);
        }
        return watch.outcome(sent * listeners);
    }

    @Override
    public void close() throws IOException {
        for (Listener listener : all) {
            listener.channel.close();
        }
        selector.close();
    }

    private void send(int messages) throws IOException {
        ByteBuffer bytes = pattern.view(sentBytes, messages * messageBytes);
        int count = all.get(0).channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("the server left " + bytes.remaining() + " bytes of a burst unread");
        }
        sentBytes += count;
        missingBytes += (long) count * listeners;
    }

    private void drain() throws IOException {
        while (missingBytes > 0) {
            if (select() == 0) {
                throw new IOException("the server sent nothing for " + STALL.toSeconds() + " s, " + missingBytes
                        + " bytes are missing");
            }
        }
    }

    private int select() throws IOException {
        try {
            return selector.select(this::onReady, STALL.toMillis());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void onReady(SelectionKey key) {
        try {
            receive((Listener) key.attachment());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receive(Listener listener) throws IOException {
        int count = listener.channel.read(space.clear());
        if (count < 0) {
            throw new EOFException("the server closed a connection after " + listener.receivedBytes + " bytes");
        }
        space.flip();
        missingBytes -= count;
        if (!listener.greeted && count > 0) {
            listener.greeted = true;
            if (space.get() != GREETING) {
                throw new IOException("the server sent no greeting");
            }
        }
        int rest = space.remaining();
        if (listener.receivedBytes + rest > sentBytes) {
            throw new IOException("the server sent more than the " + sentBytes + " bytes it received");
        }
        int at = pattern.mismatch(space, listener.receivedBytes);
        if (at >= 0) {
            throw new IOException("byte " + (listener.receivedBytes + at) + " differs from the byte sent");
        }
        listener.receivedBytes += rest;
    }
}
