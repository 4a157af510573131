package org.freshet.microbench.compare.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The oldest way: {@code java.net} sockets and a thread for each connection, which alone touches its socket's streams. */
final class ThreadsServer implements PeerServer {
    private static final int BUFFER_BYTES = 8 * 1024;

    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ServerSocket acceptor;

    @Override
    public int start() throws IOException {
        acceptor = new ServerSocket();
        acceptor.bind(Servers.anyLoopbackPort(), Servers.BACKLOG);
        new Thread(this::acceptAll, "acceptor").start();
        return acceptor.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        acceptor.close();
        open.forEach(Servers::closeQuietly);
    }

    private void acceptAll() {
        try {
            while (true) {
                Socket socket = acceptor.accept();
                open.add(socket);
                new Thread(() -> echo(socket), "connection").start();
            }
        } catch (IOException e) {
            // Closed: that is how it ends.
        }
    }

    private void echo(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            byte[] buffer = new byte[BUFFER_BYTES];
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // The client is gone.
        } finally {
            open.remove(socket);
        }
    }
}
