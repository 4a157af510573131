package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.freshet.channel.ChannelException;

/**
 * Opens blocking sockets. Any thread may call it.
 *
 * <p>The JDK's classes create the system's socket only when they first need it. A {@code close()} between their check
 * for being closed and that creation finds nothing to close, and the socket leaks. So the socket is created here,
 * before another thread can close it.
 */
final class BlockingSockets {
    private BlockingSockets() {}

    static Socket openClient() {
        Socket socket = new Socket();
        try {
            socket.getTcpNoDelay();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("could not open a socket", e);
        }
    }

    static ServerSocket openServer() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.getReuseAddress();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("could not open a server socket", e);
        }
    }
}
