package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Many clients in one thread: a round sends one object on each connection, then waits for each answer. Every byte of an
 * answer is compared with the expected one.
 *
 * <p>All methods belong to the thread that created the load; its sockets block.
 */
public final class ObjectsLoad implements Generator {
    /**
     * Connections that may wait for their greeting at the same time: less than any backlog, so that no SYN is dropped.
     */
    private static final int MAX_UNGREETED = 64;

    private static final byte[] NOTHING = {};

    private final InetSocketAddress server;
    private final int clients;
    private final ObjectDialect dialect;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final long[] sentAtNanos;
    private final byte[] answer;
    private final byte[] question;
    private final ByteBuffer space = ByteBuffer.allocateDirect(1024);
    private int round;
    private volatile long answers;
    /** The socket on which the thread may be blocked. */
    private volatile SocketChannel current;

    /** A load for the server at {@code port} on the loopback address. */
    public ObjectsLoad(int port, int clients, ObjectDialect dialect) {
        this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.clients = clients;
        this.dialect = dialect;
        this.sentAtNanos = new long[clients];
        this.answer = dialect.answer();
        this.question = dialect.question();
    }

    @Override
    public Outcome connect() throws IOException {
        return guarded(() -> {
            Stopwatch watch = new Stopwatch();
            for (int from = 0; from < clients; from = channels.size()) {
                for (int i = from; i < Math.min(from + MAX_UNGREETED, clients); i++) {
                    open();
                }
                for (int i = from; i < channels.size(); i++) {
                    receive(i, dialect.openingOfServer(), ObjectDialect.GREETING);
                }
            }
            return watch.outcome(clients);
        });
    }

    /** Runs {@code messages / clients} rounds; fails if the limit expires first. */
    @Override
    public Outcome run(long messages, Duration limit, LongConsumer progress) throws IOException {
        return guarded(() -> {
            Stopwatch watch = new Stopwatch();
            long rounds = messages / clients;
            for (long done = 0; done < rounds; done++) {
                if (watch.elapsedNanos() > limit.toNanos()) {
                    throw new IOException("only " + done + " of " + rounds + " rounds within " + limit);
                }
                round++;
                sendAll();
                receiveAll(watch);
                progress.accept((done + 1) * clients);
            }
            return watch.outcome(rounds * clients);
        });
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private void open() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        current = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(server);
        send(channel, dialect.opening(), NOTHING);
    }

    private void sendAll() throws IOException {
        byte[] before = round == 1 ? NOTHING : dialect.separator();
        for (int i = 0; i < clients; i++) {
            ObjectDialect.setNumber(question, numberOf(i));
            sentAtNanos[i] = System.nanoTime();
            send(channels.get(i), before, question);
        }
    }

    private void receiveAll(Stopwatch watch) throws IOException {
        for (int i = 0; i < clients; i++) {
            receive(i, dialect.separator(), numberOf(i));
            watch.lap(sentAtNanos[i]);
        }
    }

    private int numberOf(int client) {
        return ((round - 1) * clients + client + 1) % 1_000_000_000;
    }

    private void send(SocketChannel channel, byte[] first, byte[] second) throws IOException {
        current = channel;
        space.clear().put(first).put(second).flip();
        while (space.hasRemaining()) {
            channel.write(space);
        }
    }

    private void receive(int client, byte[] first, int number) throws IOException {
        current = channels.get(client);
        space.clear().limit(first.length + answer.length);
        while (space.hasRemaining()) {
            if (current.read(space) < 0) {
                throw new EOFException("the server closed connection " + client + " in round " + round);
            }
        }
        ObjectDialect.setAnswered(answer, number);
        space.flip();
        if (!startsWith(first) || !startsWith(answer)) {
            throw new IOException("connection " + client + ": the answer to " + number + " in round " + round
                    + " differs from \"" + ObjectDialect.answerTo(number) + "\"");
        }
        answers++;
    }

    private boolean startsWith(byte[] expected) {
        byte[] actual = new byte[expected.length];
        space.get(actual);
        return Arrays.equals(actual, expected);
    }

    private interface Exchange {
        Outcome run() throws IOException;
    }

    private Outcome guarded(Exchange exchange) throws IOException {
        StallGuard guard = new StallGuard(() -> answers, StallGuard.PATIENCE, this::breakOff);
        try (guard) {
            return exchange.run();
        } catch (IOException e) {
            throw guard.stalled() ? new IOException(guard.complaint() + ", in round " + round, e) : e;
        }
    }

    private void breakOff() {
        try {
            current.close();
        } catch (IOException e) {
            // Either way, it no longer blocks.
        }
    }
}
