package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.microbench.compare.load.CallDigest;

/**
 * The minimum that a server on a Selector must do: select, read, write. The baseline for the others.
 *
 * <p>One thread owns everything from {@code start} until {@code close} has ended it. An echo's key has as its
 * attachment any bytes that the socket did not take; nothing is read from that connection until they are sent. A call's
 * key has its digest, and an HTTP connection's key counts the received bytes.
 */
final class BareNioServer implements PeerServer {
    private final ByteBuffer space = ByteBuffer.allocateDirect(64 * 1024);
    private final Thread thread = new Thread(this::run, "bare-nio");
    private final Assignment assignment;

    /** Null in other roles than HTTP. */
    private final CannedAnswers canned;

    private Selector selector;
    private ServerSocketChannel acceptor;

    BareNioServer(Assignment assignment) {
        this.assignment = assignment;
        canned = assignment.role() == Role.HTTP ? CannedAnswers.of(assignment) : null;
    }

    @Override
    public int start() throws IOException {
        selector = Selector.open();
        acceptor = ServerSocketChannel.open();
        acceptor.bind(Servers.anyLoopbackPort(), Servers.BACKLOG);
        acceptor.configureBlocking(false);
        acceptor.register(selector, SelectionKey.OP_ACCEPT);
        thread.start();
        return acceptor.socket().getLocalPort();
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
        selector.wakeup();
        Servers.join(thread);
        selector.close();
    }

    private void run() {
        try {
            while (acceptor.isOpen()) {
                selector.select(this::onReady);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            selector.keys().forEach(key -> Servers.closeQuietly(key.channel()));
        }
    }

    private void onReady(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.attachment() instanceof CallDigest digest) {
                answer(key, digest);
            } else if (key.attachment() instanceof CannedAnswers.Connection requests) {
                answer(key, requests);
            } else {
                echo(key);
            }
        } catch (IOException e) {
            key.cancel();
            Servers.closeQuietly(key.channel());
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = acceptor.accept();
        if (channel != null) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, assignment.tcpNoDelay());
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, firstAttachment());
        }
    }

    private Object firstAttachment() {
        return switch (assignment.role()) {
            case CALLS -> new CallDigest(assignment.number("size"));
            case HTTP -> canned.new Connection();
            default -> null;
        };
    }

    /** Always sends the two bytes: the client waits for them. */
    private void answer(SelectionKey key, CallDigest digest) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        if (channel.read(space.clear()) < 0) {
            channel.close();
        } else if (digest.take(space.flip())) {
            channel.write(ByteBuffer.wrap(digest.answer()));
        }
    }

    private void answer(SelectionKey key, CannedAnswers.Connection requests) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        int count = channel.read(space.clear());
        if (count < 0) {
            channel.close();
            return;
        }
        ByteBuffer answers = requests.take(count);
        if (answers.hasRemaining()) {
            channel.write(answers);
        }
        if (answers.hasRemaining()) {
            throw new IOException("the client does not read its answers"); // the load's fit into any socket's buffer
        }
    }

    private void echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer rest = (ByteBuffer) key.attachment();
        if (rest != null) {
            writeRest(key, channel, rest);
            return;
        }
        if (channel.read(space.clear()) < 0) {
            channel.close();
            return;
        }
        channel.write(space.flip());
        if (space.hasRemaining()) {
            key.attach(ByteBuffer.allocateDirect(space.remaining()).put(space).flip());
            key.interestOps(SelectionKey.OP_WRITE);
        }
    }

    private static void writeRest(SelectionKey key, SocketChannel channel, ByteBuffer rest) throws IOException {
        channel.write(rest);
        if (!rest.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
        }
    }
}
