package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Plays the server for a load under test: a thread serves one connection after another until the acceptor closes. */
final class OneConnectionServer implements AutoCloseable {
    private final ServerSocket acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final Conversation conversation;
    private final Thread thread = new Thread(this::serve, "one-connection-server");

    /** Serves a connection, which is closed afterwards; an IOException means that the load closed it. */
    interface Conversation {
        void with(DataInputStream in, OutputStream out) throws IOException;
    }

    OneConnectionServer(Conversation conversation) throws IOException {
        this.conversation = conversation;
        thread.start();
    }

    int port() {
        return acceptor.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertFalse(thread.isAlive(), "the server has ended");
    }

    private void serve() {
        while (!acceptor.isClosed()) {
            try (Socket socket = acceptor.accept()) {
                conversation.with(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
            } catch (IOException e) {
                // The load closed its end, or the test closed the acceptor.
            }
        }
    }
}
