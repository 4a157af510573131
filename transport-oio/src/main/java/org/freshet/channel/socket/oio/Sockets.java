package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.freshet.channel.ChannelException;

/**
 * Opens blocking sockets. Any thread.
 *
 * <p>The JDK's classes ask the system for a socket when they first need one. A close that comes between that and the check whether
 * they are closed finds nothing to close, and the socket lives on where nobody can reach it. So it is asked for here.
 */
final class Sockets {
    private Sockets() {}

    static Socket openClient() {
        Socket socket = new Socket();
        try {
            socket.getTcpNoDelay();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("failed to open a socket", e);
        }
    }

    static ServerSocket openServer() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.getReuseAddress();
            return socket;
        } catch (IOException e) {
            throw new ChannelException("failed to open a server socket", e);
        }
    }
}
