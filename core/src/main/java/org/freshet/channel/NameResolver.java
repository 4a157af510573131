package org.freshet.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host. A connect to an unresolved {@link java.net.InetSocketAddress} asks the one of the option {@link
 * ChannelOption#NAME_RESOLVER}; proxies get such names as they are.
 *
 * <p>Called on a thread that may block, never on an I/O thread, by several threads at a time. At most 8 lookups run at a time in the
 * process, and at most 1,000 wait. A lookup that is no longer wanted, because its connect was cancelled or took too long, is interrupted.
 * IP addresses in text are not asked for.
 */
@FunctionalInterface
public interface NameResolver {
    /** Asks the JDK, which asks the system and keeps answers for some time (see {@code networkaddress.cache.ttl}). */
    NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * Returns the addresses of a host.
     *
     * @param host as it stands in the unresolved address
     * @return the preferred first; of more than 16, the others are ignored. None, or null, is like an UnknownHostException
     * @throws UnknownHostException if the host has none
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
