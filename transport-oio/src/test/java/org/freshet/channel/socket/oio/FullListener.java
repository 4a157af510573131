package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A listener that accepts nothing and whose backlog is full, so that further attempts get no answer. */
final class FullListener implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final List<Socket> waiting = new ArrayList<>();

    FullListener() throws IOException {
        boolean full = false;
        while (!full) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(address(), 200);
            } catch (SocketTimeoutException e) {
                full = true;
            }
        }
    }

    SocketAddress address() {
        return listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
        listener.close();
    }
}
