package org.freshet.bootstrap;

import java.util.List;
import java.util.Map;

/**
 * The JMX attributes and operations of a bootstrap; see {@link Bootstrap#registerMBean}.
 *
 * <p>The counts start at the registration and include only connections opened since.
 */
public interface BootstrapMXBean {
    /** The class of the channel factory; empty if none is set. */
    String getFactory();

    /** The options that were set: text by key. */
    Map<String, String> getOptions();

    /** The local addresses of the open channels bound by the bootstrap. */
    List<String> getBoundAddresses();

    /** How many connections are open: the accepted ones for a server, otherwise those that were made. */
    long getOpenConnections();

    /** How many connections there have been: the accepted ones for a server, otherwise those that were made. */
    long getAcceptedConnections();

    /**
     * How many of them are closed, by {@link org.freshet.channel.CloseReason.Kind}. Kinds with none are left out. The sum is
     * {@link #getAcceptedConnections()} minus {@link #getOpenConnections()}.
     */
    Map<String, Long> getClosedByReason();

    /**
     * How many connections this bootstrap's servers have refused since it was created, by cause: {@code full}, {@code address},
     * {@code rate}, {@code descriptors}. With a shared {@link AcceptGuard}, each bootstrap counts the refusals of its own servers. Empty for
     * a client.
     */
    Map<String, Long> getRefusedByReason();

    /** How many of these connections are currently not writable. */
    int getCongestedChannels();

    /** The bytes waiting to be sent on those connections, in the transport and in handlers. */
    long getPendingBytes();

    /** How long the oldest of these connections has been open; 0 if no connection is open. Looks at all connections. */
    long getOldestConnectionSeconds();

    /** Whether accepting is paused; see {@link #pauseAccepting}. */
    boolean isAcceptingPaused();

    /**
     * Stops the servers of this bootstrap, including those bound later, from accepting. New connections wait in the backlog; the local
     * transport refuses them. Open connections are not affected. A server on blocking I/O has already accepted the first one that waits.
     *
     * @throws IllegalStateException if this is not a {@link ServerBootstrap}
     */
    void pauseAccepting();

    /**
     * Ends {@link #pauseAccepting}.
     *
     * @throws IllegalStateException if this is not a {@link ServerBootstrap}
     */
    void resumeAccepting();

    /**
     * Drains the servers of this bootstrap like {@link ServerBootstrap#drain}, and waits until it is done.
     *
     * @param seconds after this time, unfinished connections are closed; 0 or more
     * @return the {@link DrainReport} in one line
     * @throws IllegalStateException if this is not a {@link ServerBootstrap}
     */
    String drain(long seconds);

    /** Bytes received on these connections. */
    long getBytesRead();

    /** Bytes sent on these connections. */
    long getBytesWritten();

    /** The most recently closed of these connections, at most 256, newest first: when, which and why. */
    List<String> getLastClosed();

    /**
     * Lists accepted connections of this bootstrap's servers, and what keeps each from reading or writing; see
     * {@link org.freshet.telemetry.Explain#connections}.
     *
     * @param max the maximum number of lines
     */
    String listConnections(int max);

    /**
     * Explains the state of an accepted connection or a server channel; see {@link org.freshet.telemetry.Explain#channel}.
     *
     * @param id as shown in the list and the log: {@code 0x0000002a}
     * @throws IllegalArgumentException if there is no such channel
     */
    String explainConnection(String id);

    /**
     * Starts writing the data a connection receives and sends to a file on this machine, in the pcapng format. Tapped above a handler that
     * decrypts, the data is clear text, and the file contains all secrets of the connection.
     *
     * @param id as for {@link #explainConnection}
     * @param above the name of the handler above which to tap; empty to tap below all handlers
     * @param file is overwritten
     * @param maxFileBytes the maximum size of the file; nothing more is written after that
     * @throws IllegalArgumentException if there is no such connection, or it cannot be tapped there
     * @throws IllegalStateException if the previous tap has not been stopped, or the file cannot be written
     */
    void startTap(String id, String above, String file, long maxFileBytes);

    /** Stops the tap started by {@link #startTap}, if any. */
    void stopTap();

    /**
     * Sets an option for connections opened afterwards, with the checks of {@link Bootstrap#setOption(String, Object)}. The limits
     * {@code maxConnections} and {@code maxConnectionsPerAddress} also apply to running servers.
     *
     * @param key the option's name, with the prefix {@code child.} for accepted connections
     * @param value a number, flag or other value as text
     * @throws IllegalArgumentException if the value has the wrong type or is out of range, or the key is not one of Freshet's
     */
    void setOption(String key, String value);

    /**
     * Removes an option, for connections opened afterwards.
     *
     * @param key the option's name
     */
    void removeOption(String key);
}
