package org.freshet.channel.socket;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;

/**
 * Reads and sets options of the object that a transport uses as a socket: a NIO channel or one of {@code java.net}'s three
 * kinds.
 *
 * <p>The JDK gives them the same two methods but no common type. Static, because an adapter object would cost memory for each
 * connection. Any thread may call: the sockets synchronize themselves.
 */
final class LiveSocket {
    private LiveSocket() {}

    /**
     * Reads an option.
     *
     * @throws ChannelException when the socket is closed or cannot answer
     */
    static <T> T get(Object socket, ChannelOption<?> option, SocketOption<T> name) {
        try {
            return read(socket, name);
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("cannot read " + option + ": " + reason(e), e);
        }
    }

    /**
     * Sets an option whose value needs no change for the socket.
     *
     * @throws IllegalArgumentException when the value is out of the option's range
     * @throws ChannelException when the socket is closed or refuses
     */
    static <T> void set(Object socket, ChannelOption<T> option, SocketOption<T> name, T value) {
        setAs(socket, option, name, option.convert(value));
    }

    /**
     * Sets an option to a value that was already checked, and that may differ from what the user sees.
     *
     * @throws ChannelException when the socket is closed or refuses
     */
    static <T> void setAs(Object socket, ChannelOption<?> option, SocketOption<T> name, T value) {
        try {
            write(socket, name, value);
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("cannot set " + option + " to " + value + ": " + reason(e), e);
        }
    }

    /** As {@link #set}, and warns once if the kernel makes the buffer smaller. */
    static void setBufferSize(Object socket, ChannelOption<Integer> option, SocketOption<Integer> name, int bytes) {
        set(socket, option, name, bytes);
        BufferSizeWarning warning = BufferSizeWarning.of(name);
        if (warning.isUnknown(bytes)) {
            try {
                warning.onGranted(bytes, read(socket, name));
            } catch (IOException e) {
                // Closed meanwhile: nothing to warn of.
            }
        }
    }

    private static <T> T read(Object socket, SocketOption<T> name) throws IOException {
        if (socket instanceof NetworkChannel channel) {
            return channel.getOption(name);
        }
        if (socket instanceof Socket connection) {
            return connection.getOption(name);
        }
        if (socket instanceof ServerSocket server) {
            return server.getOption(name);
        }
        return ((DatagramSocket) socket).getOption(name);
    }

    private static <T> void write(Object socket, SocketOption<T> name, T value) throws IOException {
        if (socket instanceof NetworkChannel channel) {
            channel.setOption(name, value);
        } else if (socket instanceof Socket connection) {
            connection.setOption(name, value);
        } else if (socket instanceof ServerSocket server) {
            server.setOption(name, value);
        } else {
            ((DatagramSocket) socket).setOption(name, value);
        }
    }

    private static String reason(Exception e) {
        if (e instanceof ClosedChannelException) {
            return "the channel is closed";
        }
        return e instanceof SocketException && e.getMessage() != null ? e.getMessage() : e.toString();
    }
}
