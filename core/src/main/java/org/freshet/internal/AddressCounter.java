package org.freshet.internal;

import java.net.InetAddress;
import java.util.function.Predicate;

/** Counts a connection for its peer's address until the connection is closed, to which it listens. */
public interface AddressCounter {
    /**
     * Counts the connection for another address from now on. The connection's I/O thread; any thread may close the connection meanwhile.
     *
     * @param address null for a client without an IP address, which isn't counted
     * @param replacement has another counter listen to the close in place of this one, if there has to be another; returns false if the
     *     connection is closed
     * @return false if that address has as many connections as it may have; the connection is then to be closed
     */
    boolean countFor(InetAddress address, Predicate<AddressCounter> replacement);
}
