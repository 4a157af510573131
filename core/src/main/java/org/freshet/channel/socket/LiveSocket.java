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
 * Reads and sets options of a transport's socket object: an NIO channel or one of the three kinds in {@code java.net}.
 *
 * <p>The JDK gives them the same two methods but no common type. The methods are static because an adapter object would cost memory per
 * connection. Any thread may call any method: the sockets synchronize themselves.
 */
final class LiveSocket {
    private LiveSocket() {}

    /**
     * Reads an option.
     *
     * @throws ChannelException if the socket is closed or cannot be read
     */
    static <T> T get(Object socket, ChannelOption<?> option, SocketOption<T> name) {
        try {
            return read(socket, name);
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("cannot read " + option + ": " + reason(e), e);
        }
    }

    /**
     * Sets an option whose value is passed to the socket unchanged.
     *
     * @throws IllegalArgumentException if the value is out of the option's range
     * @throws ChannelException if the socket is closed or refuses
     */
    static <T> void set(Object socket, ChannelOption<T> option, SocketOption<T> name, T value) {
        setAs(socket, option, name, option.convert(value));
    }

    /**
     * Sets an option to a value that was already checked, and that may differ from the one the user sees.
     *
     * @throws ChannelException if the socket is closed or refuses
     */
    static <T> void setAs(Object socket, ChannelOption<?> option, SocketOption<T> name, T value) {
        try {
            write(socket, name, value);
        } catch (IOException | UnsupportedOperationException e) {
            throw new ChannelException("cannot set " + option + " to " + value + ": " + reason(e), e);
        }
    }

    /** Sets an option like {@link #set}, and warns once if the kernel makes the buffer smaller. */
    static void setBufferSize(Object socket, ChannelOption<Integer> option, SocketOption<Integer> name, int bytes) {
        set(socket, option, name, bytes);
        BufferSizeWarning warning = BufferSizeWarning.of(name);
        if (warning.isUnknown(bytes)) {
            try {
                warning.onGranted(bytes, read(socket, name));
            } catch (IOException e) {
                // Closed in the meantime: nothing to warn about.
            }
        }
    }

    // ---- options that a system may not have, or a JDK without the module jdk.net ------------------------------------

    /** Reads an option by its JDK name; returns null if it is not supported here. */
    static Object getIfKnown(Object socket, ChannelOption<?> option, String name) {
        try {
            SocketOption<?> known = known(socket, name);
            return known == null ? null : get(socket, option, known);
        } catch (IOException e) {
            throw new ChannelException("cannot read " + option + ": " + reason(e), e);
        }
    }

    /**
     * Sets an option by its JDK name.
     *
     * @throws ChannelException also if it is not supported here
     */
    @SuppressWarnings("unchecked") // the name determines the type
    static <T> void setIfKnown(Object socket, ChannelOption<T> option, String name, T value) {
        SocketOption<T> known;
        try {
            known = (SocketOption<T>) known(socket, name);
        } catch (IOException e) {
            throw new ChannelException("cannot set " + option + " to " + value + ": " + reason(e), e);
        }
        if (known == null) {
            throw new ChannelException(
                    "cannot set " + option + " to " + value + ": not supported by this system or JDK: " + name);
        }
        setAs(socket, option, known, option.convert(value));
    }

    /** Returns null if the option is not supported here. */
    private static SocketOption<?> known(Object socket, String name) throws IOException {
        for (SocketOption<?> option : optionsOf(socket)) {
            if (option.name().equals(name)) {
                return option;
            }
        }
        read(
                socket,
                StandardSocketOptions.SO_RCVBUF); // throws if the socket is closed; since JDK 25 it then has no options
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

    /** Sets each option whose value differs from the new socket's: setting the same value could keep the system from tuning it. */
    static void copyOptions(Object from, Object to) throws IOException {
        for (SocketOption<?> option : optionsOf(from)) {
            copyOption(from, to, option);
        }
    }

    /** Returns the values of all readable options. */
    static Map<SocketOption<?>, Object> options(Object socket) throws IOException {
        Map<SocketOption<?>, Object> values = new HashMap<>();
        for (SocketOption<?> option : optionsOf(socket)) {
            try {
                values.put(option, read(socket, option));
            } catch (UnsupportedOperationException e) {
                // Not supported by this system.
            }
        }
        return values;
    }

    /** Copies each option whose value has changed since. */
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
            // Not supported by this system, or read-only.
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
