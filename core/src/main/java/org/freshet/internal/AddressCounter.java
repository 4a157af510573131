package org.freshet.internal;

import java.net.InetAddress;
import java.util.function.Predicate;

/** Counts a connection for its peer's address until the connection closes; it is a listener of the close. */
public interface AddressCounter {
    /**
     * Counts the connection for another address from now on. Called on the connection's I/O thread; any thread may close the connection at
     * the same time.
     *
     * @param address null for a client without an IP address, which isn't counted
     * @param replacement makes another counter listen to the close in place of this one, if a different one is needed; returns false if the
     *     connection is closed
     * @return false if that address has reached its limit of connections; close the connection then
     */
    boolean countFor(InetAddress address, Predicate<AddressCounter> replacement);
}
