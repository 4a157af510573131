package org.freshet.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Listens on a free port of the loopback interface and returns its connections as {@link ScriptedPeer}s. */
public final class ScriptedServer implements AutoCloseable {
    private final ServerSocket socket;

    private ScriptedServer(ServerSocket socket) {
        this.socket = socket;
    }

    public static ScriptedServer listen() throws IOException {
        return listen(0);
    }

    /**
     * Listens with a given receive buffer size for all connections, so that little fits in beyond what the peer reads.
     *
     * @param receiveBufferBytes 0 leaves the size to the system
     */
    public static ScriptedServer listen(int receiveBufferBytes) throws IOException {
        ServerSocket socket = new ServerSocket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new ScriptedServer(socket);
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    /** Waits for a connection. */
    public ScriptedPeer accept() throws IOException {
        return new ScriptedPeer(socket.accept());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
