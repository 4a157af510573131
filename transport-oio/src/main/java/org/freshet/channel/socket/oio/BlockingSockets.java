package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.freshet.channel.ChannelException;

/**
 * Opens blocking sockets. Any thread.
 *
 * <p>The JDK's classes open the system's socket when they first need it. A {@code close()} between their check for being closed and
 * that opening finds nothing to close, and leaks the socket. So the socket is opened here, before another thread can close it.
 */
final class BlockingSockets {
    private BlockingSockets() {}

    static Socket openClient() {
        Socket socket = new Socket();
        try {
            socket.getTcpNoDelay();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("the system grants no socket", e);
        }
    }

    static ServerSocket openServer() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.getReuseAddress();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("the system grants no server socket", e);
        }
    }
}
