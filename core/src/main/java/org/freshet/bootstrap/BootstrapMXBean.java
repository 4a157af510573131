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

    /** Bytes received by these connections. */
    long getBytesRead();

    /** Bytes sent by these connections. */
    long getBytesWritten();

    /**
     * Sets an option for connections made afterwards, with the checks of {@link Bootstrap#setOption(String, Object)}.
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
