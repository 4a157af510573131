package org.freshet.microbench.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The other end of a {@link Connection}: a blocking socket. Used by one thread, or only by {@link #drain}. */
final class Peer {
    private static final int DRAIN_BYTES = 256 * 1024;

    private final ServerSocketChannel acceptor;
    private SocketChannel socket;

    Peer() throws IOException {
        acceptor = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) acceptor.getLocalAddress();
    }

    void accept() throws IOException {
        socket = acceptor.accept();
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    SocketChannel socket() {
        return socket;
    }

    /** Reads and drops everything, on a new thread that ends with the connection. */
    void drain() {
        Thread drain = new Thread(this::readToTheEnd, "drain");
        drain.setDaemon(true);
        drain.start();
    }

    private void readToTheEnd() {
        ByteBuffer bytes = ByteBuffer.allocateDirect(DRAIN_BYTES);
        try {
            while (socket.read(bytes.clear()) >= 0) {
                // the peer is gone
            }
        } catch (IOException e) {
            // the connection is over
        }
    }

    void close() throws IOException {
        acceptor.close();
        socket.close();
    }
}
