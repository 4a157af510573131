package org.freshet.testkit.simulation;

import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.Map;

/** The options of a simulated socket. They have no effect. */
final class SocketSettings {
    private static final Map<SocketOption<?>, Object> DEFAULTS = Map.of(
            StandardSocketOptions.SO_RCVBUF,
            64 * 1024,
            StandardSocketOptions.SO_SNDBUF,
            64 * 1024,
            StandardSocketOptions.SO_LINGER,
            -1,
            StandardSocketOptions.IP_TOS,
            0,
            StandardSocketOptions.SO_KEEPALIVE,
            false,
            StandardSocketOptions.SO_REUSEADDR,
            false,
            StandardSocketOptions.TCP_NODELAY,
            false);

    private final Map<SocketOption<?>, Object> values = new HashMap<>(DEFAULTS);

    void set(SocketOption<?> name, Object value) {
        get(name);
        values.put(name, value);
    }

    @SuppressWarnings("unchecked") // set() got a value of the option's type
    <T> T get(SocketOption<T> name) {
        Object value = values.get(name);
        if (value == null) {
            throw new UnsupportedOperationException("not simulated: " + name);
        }
        return (T) value;
    }
}
