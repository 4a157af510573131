package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.freshet.channel.ChannelException;

/** Opens non-blocking sockets. Any thread. */
final class Sockets {
    private Sockets() {}

    static ServerSocketChannel openServer() {
        try {
            return nonBlocking(ServerSocketChannel.open());
        } catch (IOException e) {
            throw new ChannelException("failed to open a server socket", e);
        }
    }

    static SocketChannel openClient() {
        try {
            return nonBlocking(SocketChannel.open());
        } catch (IOException e) {
            throw new ChannelException("failed to open a socket", e);
        }
    }

    static <S extends SelectableChannel> S nonBlocking(S socket) throws IOException {
        try {
            socket.configureBlocking(false);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** For a channel that comes after the shutdown of its factory. */
    static void closeAndRefuse(SelectableChannel socket) {
        IllegalStateException refusal = new IllegalStateException("the channel factory has been shut down");
        try {
            socket.close();
        } catch (IOException e) {
            refusal.addSuppressed(e);
        }
        throw refusal;
    }
}
