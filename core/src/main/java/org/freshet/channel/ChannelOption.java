package org.freshet.channel;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.internal.options.OptionKey;
import org.freshet.internal.options.OptionKeys;

/**
 * The name, type and range of one setting of a {@link ChannelConfig}.
 *
 * <p>You can set an option by its {@link #key() key} ({@code config.setOption("tcpNoDelay", "true")}), by its constant
 * ({@code config.setOption(ChannelOption.TCP_NODELAY, true)}) or with the config's own method. All three do the same, with the same checks
 * and errors. A bootstrap also accepts the keys; a server bootstrap applies those that start with {@code child.} to the channels it
 * accepts.
 *
 * <p><b>Values.</b> Flags take a Boolean, the words {@code true, yes, on, y, t, 1} and {@code false, no, off, n, f, 0} in any case, or a
 * number (zero is false). Numbers take any whole {@link Number} or its decimal text. Other options take an instance of their type. Anything
 * else throws an {@link IllegalArgumentException} that names the key, the value and what is allowed.
 *
 * <p>Options are immutable, so any thread may share them. A transport or an application can define more with {@link #flag}, {@link #number}
 * and {@link #object}; they work with configs whose {@link ChannelConfig#setOption(String, Object)} is overridden to handle their keys.
 *
 * @param <T> the type of the values
 */
@SuppressWarnings("exports") // OptionKey is shared by Freshet's modules only
public final class ChannelOption<T> implements OptionKey<T> {
    private static final Map<String, ChannelOption<?>> BUILT_IN = new LinkedHashMap<>();

    /** Creates the buffers for data read from the channel. Not null; default: heap buffers. */
    public static final ChannelOption<ChannelBufferFactory> BUFFER_FACTORY =
            builtIn(object("bufferFactory", ChannelBufferFactory.class));

    /**
     * Creates the pipelines of the channels that a server channel accepts. Default: the bootstrap's. Null is allowed except on server
     * channels.
     */
    public static final ChannelOption<ChannelPipelineFactory> PIPELINE_FACTORY =
            builtIn(nullable("pipelineFactory", ChannelPipelineFactory.class));

    /** How long a connect attempt may take, in milliseconds; 0 or more, where 0 means no limit. Default: 10,000. */
    public static final ChannelOption<Integer> CONNECT_TIMEOUT_MILLIS =
            builtIn(number("connectTimeoutMillis", 0, Integer.MAX_VALUE));

    /** Whether small segments are sent immediately instead of waiting to be merged (TCP_NODELAY). Default: the system's, false. */
    public static final ChannelOption<Boolean> TCP_NODELAY = builtIn(flag("tcpNoDelay"));

    /** Whether the system probes idle peers (SO_KEEPALIVE). Default: the system's, false. */
    public static final ChannelOption<Boolean> KEEP_ALIVE = builtIn(flag("keepAlive"));

    /**
     * How long closing may wait for unsent bytes, in seconds (SO_LINGER); -1 (off) to 65,535. With 0, closing resets the
     * connection. Default: -1.
     */
    public static final ChannelOption<Integer> SO_LINGER = builtIn(number("soLinger", -1, 65_535));

    /** Requested size of the kernel's send buffer, in bytes (SO_SNDBUF); 1 or more. Reading it returns the actual size. */
    public static final ChannelOption<Integer> SEND_BUFFER_SIZE =
            builtIn(number("sendBufferSize", 1, Integer.MAX_VALUE));

    /**
     * Requested size of the kernel's receive buffer, in bytes (SO_RCVBUF); 1 or more. Reading it returns the actual size. If set on a
     * server channel before it is bound, it applies to accepted connections.
     */
    public static final ChannelOption<Integer> RECEIVE_BUFFER_SIZE =
            builtIn(number("receiveBufferSize", 1, Integer.MAX_VALUE));

    /** The traffic class octet of outgoing packets (IP_TOS); 0 to 255. The kernel may clear some of its bits. Default: 0. */
    public static final ChannelOption<Integer> TRAFFIC_CLASS = builtIn(number("trafficClass", 0, 255));

    /**
     * Whether an address may be bound while an earlier connection lingers on it (SO_REUSEADDR). Default: the system's; on Linux true for
     * server channels, otherwise false.
     */
    public static final ChannelOption<Boolean> REUSE_ADDRESS = builtIn(flag("reuseAddress"));

    /**
     * The relative importance of short connection time, low latency and high bandwidth. A hint to set before connecting or binding; it
     * cannot be read back, and today's JDKs ignore it.
     */
    public static final ChannelOption<PerformancePreferences> PERFORMANCE_PREFERENCES = builtIn(new ChannelOption<>(
            "performancePreferences",
            PerformancePreferences.class,
            "a PerformancePreferences, or its text as in \"0,1,2\"",
            false,
            PerformancePreferences::from));

    /**
     * Whether several sockets of the same user may be bound to one address, if all have this option (SO_REUSEPORT). On Linux the kernel
     * then distributes connections and datagrams among them. For servers and datagram channels, before they are bound. If the system
     * doesn't support it, setting it throws a {@link ChannelException}, and it reads as null. Default: false.
     */
    public static final ChannelOption<Boolean> REUSE_PORT = builtIn(flag("reusePort"));

    /**
     * After how many seconds without traffic the system begins to probe a peer, if {@link #KEEP_ALIVE} is set (TCP_KEEPIDLE); 1 to 32,767.
     * If the system doesn't support it, or the JDK lacks the module {@code jdk.net}, setting it throws a {@link ChannelException}, and it
     * reads as null. Default: the system's; on Linux 7,200.
     */
    public static final ChannelOption<Integer> KEEP_ALIVE_IDLE_SECONDS =
            builtIn(number("keepAliveIdleSeconds", 1, 32_767));

    /**
     * How many seconds the system waits for the answer to a probe before it sends the next (TCP_KEEPINTERVAL); 1 to 32,767. Supported where
     * {@link #KEEP_ALIVE_IDLE_SECONDS} is. Default: the system's; on Linux 75.
     */
    public static final ChannelOption<Integer> KEEP_ALIVE_INTERVAL_SECONDS =
            builtIn(number("keepAliveIntervalSeconds", 1, 32_767));

    /**
     * After how many unanswered probes the system ends the connection (TCP_KEEPCOUNT); 1 to 127. Supported where
     * {@link #KEEP_ALIVE_IDLE_SECONDS} is. Default: the system's; on Linux 9.
     */
    public static final ChannelOption<Integer> KEEP_ALIVE_COUNT = builtIn(number("keepAliveCount", 1, 127));

    /** How many connections may wait to be accepted; 0 or more, where 0 means the JDK's default of 50. Default: 0. */
    public static final ChannelOption<Integer> BACKLOG = builtIn(number("backlog", 0, Integer.MAX_VALUE));

    /**
     * The maximum number of open connections of a server; 0 or more, where 0 means no limit. Further ones wait in the backlog until one
     * ends; the local transport, where they cannot wait, refuses them. Can be changed while the server runs, on the server channel or its
     * bootstrap; lowering it closes no connection. Default: 0.
     */
    public static final ChannelOption<Integer> MAX_CONNECTIONS =
            builtIn(number("maxConnections", 0, Integer.MAX_VALUE));

    /**
     * The maximum number of open connections of a server per address, or per /64 network with IPv6; 0 or more, where 0 means no limit.
     * Further ones are reset. Can be changed like {@link #MAX_CONNECTIONS}. Default: 0.
     */
    public static final ChannelOption<Integer> MAX_CONNECTIONS_PER_ADDRESS =
            builtIn(number("maxConnectionsPerAddress", 0, Integer.MAX_VALUE));

    /** Whether datagrams may be sent to a broadcast address (SO_BROADCAST). Default: false. */
    public static final ChannelOption<Boolean> BROADCAST = builtIn(flag("broadcast"));

    /** Whether this host's own sockets don't receive its multicast datagrams (IP_MULTICAST_LOOP, inverted). Default: false. */
    public static final ChannelOption<Boolean> LOOPBACK_MODE_DISABLED = builtIn(flag("loopbackModeDisabled"));

    /** The network interface for outgoing multicast datagrams (IP_MULTICAST_IF), or its name. Default: the system's choice. */
    public static final ChannelOption<NetworkInterface> NETWORK_INTERFACE = builtIn(new ChannelOption<>(
            "networkInterface",
            NetworkInterface.class,
            "a NetworkInterface or the name of one",
            false,
            ChannelOption::toNetworkInterface));

    /** The network interface for outgoing multicast datagrams, given as one of its addresses. Default: the system's choice. */
    public static final ChannelOption<InetAddress> INTERFACE = builtIn(new ChannelOption<>(
            "interface", InetAddress.class, "an InetAddress or the text of one", false, ChannelOption::toInetAddress));

    /** How many hops multicast datagrams can travel (IP_MULTICAST_TTL); 0 (this host) to 255. Default: 1. */
    public static final ChannelOption<Integer> TIME_TO_LIVE = builtIn(number("timeToLive", 0, 255));

    /**
     * Determines how much space to provide for a read. A predictor has state, so channels that are given the same one share its
     * predictions. It takes precedence over {@link #RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY}. Default: one created by that factory.
     */
    public static final ChannelOption<ReceiveBufferSizePredictor> RECEIVE_BUFFER_SIZE_PREDICTOR =
            builtIn(object("receiveBufferSizePredictor", ReceiveBufferSizePredictor.class));

    /**
     * Creates the channel's predictor when it is first needed. Default: adaptive for connections, 768 bytes for datagrams. The default does
     * not limit datagrams; once this option or {@link #RECEIVE_BUFFER_SIZE_PREDICTOR} is set, a datagram larger than predicted is dropped
     * and reported.
     */
    public static final ChannelOption<ReceiveBufferSizePredictorFactory> RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY =
            builtIn(object("receiveBufferSizePredictorFactory", ReceiveBufferSizePredictorFactory.class));

    /**
     * Above this many bytes waiting to be sent, {@link Channel#isWritable()} becomes false; 1 or more, and not below the low mark. Default:
     * 65,536.
     */
    public static final ChannelOption<Integer> WRITE_BUFFER_HIGH_WATER_MARK =
            builtIn(number("writeBufferHighWaterMark", 1, Integer.MAX_VALUE));

    /**
     * At or below this many bytes waiting to be sent, {@link Channel#isWritable()} becomes true again; 0 or more, and not above the high
     * mark. Default: 32,768.
     */
    public static final ChannelOption<Integer> WRITE_BUFFER_LOW_WATER_MARK =
            builtIn(number("writeBufferLowWaterMark", 0, Integer.MAX_VALUE));

    /**
     * The maximum number of bytes waiting to be sent, including those that handlers such as {@code SslHandler} hold; 0 or more, where 0
     * means no limit. A value below the high mark acts as that mark. {@link #WRITE_OVERFLOW} determines what happens to a write beyond
     * the limit. NIO and local channels only: blocking channels don't queue writes. Default: 0.
     */
    public static final ChannelOption<Integer> WRITE_BUFFER_LIMIT =
            builtIn(number("writeBufferLimit", 0, Integer.MAX_VALUE));

    /** What to do when a write exceeds {@link #WRITE_BUFFER_LIMIT}. Also accepts the name in any case, as in "fail". Default: CLOSE. */
    public static final ChannelOption<WriteOverflow> WRITE_OVERFLOW = builtIn(new ChannelOption<>(
            "writeOverflow", WriteOverflow.class, "CLOSE, FAIL or BLOCK", false, ChannelOption::toWriteOverflow));

    /**
     * After how many milliseconds in which the peer takes nothing, although bytes wait to be sent, the channel closes with
     * {@link CloseReason.Kind#TIMED_OUT}; 0 or more, where 0 means never. Detected up to a quarter of that time late. Connections only.
     * Default: 0.
     */
    public static final ChannelOption<Integer> WRITE_STALL_TIMEOUT_MILLIS =
            builtIn(number("writeStallTimeoutMillis", 0, Integer.MAX_VALUE));

    /** How many times in a row a channel may write before the loop serves others; 1 or more. Default: 16. */
    public static final ChannelOption<Integer> WRITE_SPIN_COUNT =
            builtIn(number("writeSpinCount", 1, Integer.MAX_VALUE));

    /**
     * Whether small writes are merged into fewer system calls. When false, each write is sent on its own, immediately. NIO only. Default:
     * true.
     */
    public static final ChannelOption<Boolean> WRITE_COALESCING = builtIn(flag("writeCoalescing"));

    /**
     * What to do at the end of the peer's output. When false, the channel closes. When true, {@link InputShutdownEvent} is fired and
     * nothing more is read. You can still write to the channel; it stays open until it is closed or
     * {@linkplain Channels#shutdownOutput(Channel) its output ends}, too. If the peer is lost in that state, only the next write notices.
     * Over TLS, the channel closes at the peer's close_notify in any case. Connections only. Default: false.
     */
    public static final ChannelOption<Boolean> ALLOW_HALF_CLOSURE = builtIn(flag("allowHalfClosure"));

    /**
     * Resolves the host name when a client connects to an unresolved {@link java.net.InetSocketAddress}. TCP clients only. Default:
     * {@link NameResolver#SYSTEM}.
     */
    public static final ChannelOption<NameResolver> NAME_RESOLVER = builtIn(object("nameResolver", NameResolver.class));

    private final String key;
    private final Class<T> type;
    /** The allowed values in words, for error messages. */
    private final String allowed;

    private final boolean acceptsNull;
    /** Converts a non-null value to the option's type; returns null if it can't. */
    private final Function<Object, T> parser;

    private ChannelOption(String key, Class<T> type, String allowed, boolean acceptsNull, Function<Object, T> parser) {
        this.key = Objects.requireNonNull(key, "key");
        this.type = Objects.requireNonNull(type, "type");
        this.allowed = allowed;
        this.acceptsNull = acceptsNull;
        this.parser = parser;
    }

    /**
     * Creates an option that is on or off.
     *
     * @param key its name in configs
     * @return a new option, unknown to {@link #named}
     */
    public static ChannelOption<Boolean> flag(String key) {
        return new ChannelOption<>(key, Boolean.class, "true or false", false, ChannelOption::toBoolean);
    }

    /**
     * Creates an option that is a whole number.
     *
     * @param key its name in configs
     * @param min the smallest value allowed
     * @param max the largest value allowed
     * @return a new option, unknown to {@link #named}
     */
    public static ChannelOption<Integer> number(String key, int min, int max) {
        if (min > max) {
            throw new IllegalArgumentException("min > max: " + min + " > " + max);
        }
        String range = max == Integer.MAX_VALUE ? "a whole number, " + min + " or more" : min + " to " + max;
        return new ChannelOption<>(key, Integer.class, range, false, value -> {
            Integer number = toInteger(value);
            return number == null || number < min || number > max ? null : number;
        });
    }

    /**
     * Creates an option whose values are objects of a given type, never null.
     *
     * @param key its name in configs
     * @param type the class of its values
     * @param <T> the type of its values
     * @return a new option, unknown to {@link #named}
     */
    public static <T> ChannelOption<T> object(String key, Class<T> type) {
        return object(key, type, false);
    }

    /**
     * Looks up one of this class's constants.
     *
     * @param key an option's name, without {@code child.}
     * @return the constant, or null if no constant has that name
     */
    public static ChannelOption<?> named(String key) {
        return BUILT_IN.get(key);
    }

    /** Returns the keys of this class's constants; unmodifiable. */
    public static Set<String> knownKeys() {
        return Collections.unmodifiableSet(BUILT_IN.keySet());
    }

    /** Returns the option's name in configs, bootstraps and JMX. */
    @Override
    public String key() {
        return key;
    }

    /** Returns the class of the values that {@link #convert} returns. */
    public Class<T> type() {
        return type;
    }

    /** Returns the allowed values in words, as shown in error messages. */
    public String allowed() {
        return allowed;
    }

    /**
     * Checks a value and converts it to the option's type.
     *
     * @param value in one of the forms that the class description lists
     * @return the value to use; null only for an option that allows null
     * @throws IllegalArgumentException if the value has the wrong type or is out of range
     */
    @Override
    public T convert(Object value) {
        if (value == null && acceptsNull) {
            return null;
        }
        T converted = value == null ? null : parser.apply(value);
        if (converted == null) {
            throw new IllegalArgumentException(key + ": " + described(value) + " (allowed: " + allowed + ")");
        }
        return converted;
    }

    /** The key. */
    @Override
    public String toString() {
        return key;
    }

    private static <T> ChannelOption<T> nullable(String key, Class<T> type) {
        return object(key, type, true);
    }

    private static <T> ChannelOption<T> object(String key, Class<T> type, boolean acceptsNull) {
        String allowed = "an instance of " + type.getName() + (acceptsNull ? " or null" : "");
        return new ChannelOption<>(
                key, type, allowed, acceptsNull, value -> type.isInstance(value) ? type.cast(value) : null);
    }

    private static <T> ChannelOption<T> builtIn(ChannelOption<T> option) {
        BUILT_IN.put(option.key, option);
        OptionKeys.define(option.key);
        return option;
    }

    private static String described(Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return value instanceof CharSequence ? "\"" + value + "\"" : value + " of " + value.getClass();
    }

    private static Boolean toBoolean(Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        if (value instanceof Number number) {
            return number.doubleValue() != 0;
        }
        if (!(value instanceof CharSequence || value instanceof Character)) {
            return null;
        }
        return switch (value.toString().trim().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on", "y", "t", "1" -> true;
            case "false", "no", "off", "n", "f", "0" -> false;
            default -> null;
        };
    }

    private static Integer toInteger(Object value) {
        if (value instanceof Number number) {
            int whole = number.intValue();
            return number.doubleValue() == whole ? whole : null;
        }
        if (!(value instanceof CharSequence text)) {
            return null;
        }
        try {
            return Integer.valueOf(text.toString().trim());
        } catch (NumberFormatException e) {
            return null; // the caller's message is more helpful than this one
        }
    }

    private static WriteOverflow toWriteOverflow(Object value) {
        if (value instanceof WriteOverflow policy) {
            return policy;
        }
        try {
            return value instanceof CharSequence name
                    ? WriteOverflow.valueOf(name.toString().trim().toUpperCase(Locale.ROOT))
                    : null;
        } catch (IllegalArgumentException e) {
            return null; // the caller's message is more helpful than this one
        }
    }

    private static NetworkInterface toNetworkInterface(Object value) {
        if (value instanceof NetworkInterface networkInterface) {
            return networkInterface;
        }
        try {
            return value instanceof CharSequence name ? NetworkInterface.getByName(name.toString()) : null;
        } catch (SocketException e) {
            return null;
        }
    }

    private static InetAddress toInetAddress(Object value) {
        if (value instanceof InetAddress address) {
            return address;
        }
        try {
            return value instanceof CharSequence text ? InetAddress.getByName(text.toString()) : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
