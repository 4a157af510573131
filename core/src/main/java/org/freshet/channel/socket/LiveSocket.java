package org.freshet.channel.socket;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    // ---- options that a system may not have, or a JDK without the module jdk.net
    // -------------------------------------

    /** Reads an option by the JDK's name of it; null if there is no such option here. */
    static Object getIfKnown(Object socket, ChannelOption<?> option, String name) {
        try {
            SocketOption<?> known = known(socket, name);
            return known == null ? null : get(socket, option, known);
        } catch (IOException e) {
            throw new ChannelException("cannot read " + option + ": " + reason(e), e);
        }
    }

    /**
     * Sets an option by the JDK's name of it.
     *
     * @throws ChannelException also when there is no such option here
     */
    @SuppressWarnings("unchecked") // a name stands for a type, too
    static <T> void setIfKnown(Object socket, ChannelOption<T> option, String name, T value) {
        SocketOption<T> known;
        try {
            known = (SocketOption<T>) known(socket, name);
        } catch (IOException e) {
            throw new ChannelException("cannot set " + option + " to " + value + ": " + reason(e), e);
        }
        if (known == null) {
            throw new ChannelException(
                    "cannot set " + option + " to " + value + ": this system, or this JDK, does not have " + name);
        }
        setAs(socket, option, known, option.convert(value));
    }

    /** Returns null if there is no such option here. */
    private static SocketOption<?> known(Object socket, String name) throws IOException {
        for (SocketOption<?> option : optionsOf(socket)) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        read(
                socket,
                StandardSocketOptions
                        .SO_RCVBUF); // which fails if the socket is closed: from JDK 25 on it has no options then
        return null;
    }

    private static Set<SocketOption<?>> optionsOf(Object socket) {
        if (socket instanceof NetworkChannel channel) {
            return channel.supportedOptions();
        }
        if (socket instanceof Socket connection) {
            return connection.supportedOptions();
        }
        if (socket instanceof ServerSocket server) {
            return server.supportedOptions();
        }
        return ((DatagramSocket) socket).supportedOptions();
    }

    /** Sets each option that has another value than with a new socket: to set the same one could keep the system from tuning it. */
    static void copyOptions(Object from, Object to) throws IOException {
        for (SocketOption<?> option : optionsOf(from)) {
            copyOption(from, to, option);
        }
    }

    /** The values of all options that can be read. */
    static Map<SocketOption<?>, Object> options(Object socket) throws IOException {
        Map<SocketOption<?>, Object> values = new HashMap<>();
        for (SocketOption<?> option : optionsOf(socket)) {
            try {
                values.put(option, read(socket, option));
            } catch (UnsupportedOperationException e) {
                // One that this system doesn't have.
            }
        }
        return values;
    }

    /** Sets each option whose value has changed since. */
    static void copyChanged(Object from, Map<SocketOption<?>, Object> since, Object to) throws IOException {
        for (Map.Entry<SocketOption<?>, Object> option : since.entrySet()) {
            if (!Objects.equals(option.getValue(), read(from, option.getKey()))) {
                copyOption(from, to, option.getKey());
            }
        }
    }

    private static <T> void copyOption(Object from, Object to, SocketOption<T> option) throws IOException {
        try {
            T value = read(from, option);
            if (!Objects.equals(value, read(to, option))) {
                write(to, option, value);
            }
        } catch (UnsupportedOperationException e) {
            // One that this system doesn't have, or that can't be set.
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
