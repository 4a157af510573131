package org.freshet.bootstrap;

import java.util.List;
import java.util.Map;

/**
 * A bootstrap's attributes and operations in JMX. {@link Bootstrap#registerMBean} registers it.
 *
 * <p>The counts start at the registration and include only connections made since.
 */
public interface BootstrapMXBean {
    /** The class of the channel factory; empty when none is set. */
    String getFactory();

    /** The options that were set, as text by key. */
    Map<String, String> getOptions();

    /** The local addresses of the open channels that the bootstrap bound. */
    List<String> getBoundAddresses();

    /** How many connections are open: accepted ones of a server, else those that were made. */
    long getOpenConnections();

    /** How many connections there have been: accepted ones of a server, else those that were made. */
    long getAcceptedConnections();

    /**
     * How many of them are closed, by {@link org.freshet.channel.CloseReason.Kind}; kinds without any are left out. The sum is {@link
     * #getAcceptedConnections()} less {@link #getOpenConnections()}.
     */
    Map<String, Long> getClosedByReason();

    /**
     * How many connections servers of this bootstrap have refused since it was made, by cause: {@code full}, {@code address}, {@code rate},
     * {@code descriptors}. Those of a shared {@link AcceptGuard} count where they were refused. Empty for a client.
     */
    Map<String, Long> getRefusedByReason();

    /** How many of these connections are not writable now. */
    int getCongestedChannels();

    /** The bytes that wait to be sent on those, in the transport and in handlers. */
    long getPendingBytes();

    /** For how long the oldest of these connections has been open; 0 if none is. Looks at all of them. */
    long getOldestConnectionSeconds();

    /** Whether {@link #pauseAccepting} is in force. */
    boolean isAcceptingPaused();

    /**
     * Has the servers of this bootstrap accept nothing more, those bound later included: connections wait in the backlog, where the local
     * transport refuses them. Connections that are open go on. A server on blocking I/O has accepted the first that waits.
     *
     * @throws IllegalStateException if it is not a bootstrap of servers
     */
    void pauseAccepting();

    /**
     * Ends {@link #pauseAccepting}.
     *
     * @throws IllegalStateException if it is not a bootstrap of servers
     */
    void resumeAccepting();

    /**
     * Drains the servers of this bootstrap, as {@link ServerBootstrap#drain} does, and waits for it.
     *
     * @param seconds when connections that are not done are closed; 0 or more
     * @return the {@link DrainReport} in one line
     * @throws IllegalStateException if it is not a bootstrap of servers
     */
    String drain(long seconds);

    /** Bytes received by these connections. */
    long getBytesRead();

    /** Bytes sent by these connections. */
    long getBytesWritten();

    /** The last of these connections that were closed, 256 at most, newest first: when, which and why. */
    List<String> getLastClosed();

    /**
     * Lists connections that servers of the bootstrap have accepted, and what keeps each from reading or writing: {@link
     * org.freshet.telemetry.Explain#connections}.
     *
     * @param max the lines at most
     */
    String listConnections(int max);

    /**
     * Explains a connection that a server of the bootstrap has accepted, or a server channel: {@link
     * org.freshet.telemetry.Explain#channel}.
     *
     * @param id as the list and the log show it: {@code 0x0000002a}
     * @throws IllegalArgumentException if there is none
     */
    String explainConnection(String id);

    /**
     * Begins to write what a connection receives and sends to a file on this machine, in the format pcapng, in clear text where a handler
     * named {@code above} decrypts it. The file contains all secrets of the connection.
     *
     * @param id as for {@link #explainConnection}
     * @param above the name of the handler above which it is tapped; empty for below all
     * @param file is overwritten
     * @param maxFileBytes where the file ends
     * @throws IllegalArgumentException if there is no such connection, or it cannot be tapped there
     * @throws IllegalStateException if the tap that was started before has not been stopped, or the file cannot be written
     */
    void startTap(String id, String above, String file, long maxFileBytes);

    /** Ends what {@link #startTap} began, if anything. */
    void stopTap();

    /**
     * Sets an option for connections made afterwards, with the checks of {@link Bootstrap#setOption(String, Object)}. The limits {@code
     * maxConnections} and {@code maxConnectionsPerAddress} apply to the servers that run.
     *
     * @param key the option's name, with {@code child.} for accepted connections of a server
     * @param value a number, flag or other value as text
     * @throws IllegalArgumentException when the value has a wrong type or is out of range, or the key is not one of Freshet's
     */
    void setOption(String key, String value);

    /**
     * Removes an option, for connections made afterwards.
     *
     * @param key the option's name
     */
    void removeOption(String key);
}
