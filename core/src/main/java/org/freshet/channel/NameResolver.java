package org.freshet.channel;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Resolves host names. A connect to an unresolved {@link java.net.InetSocketAddress} uses the resolver in the option
 * {@link ChannelOption#NAME_RESOLVER}. Names passed to a proxy are not resolved.
 *
 * <p>Called on threads that may block, never on an I/O thread, and by several threads at the same time. In the process, at most 8 lookups
 * run at a time and at most 1,000 wait. A lookup that is no longer needed, because its connect was cancelled or took too long, is
 * interrupted. IP addresses in text form are not looked up.
 */
@FunctionalInterface
public interface NameResolver {
    /** Uses the JDK, which asks the system and caches answers for some time (see {@code networkaddress.cache.ttl}). */
    NameResolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /**
     * Returns the addresses of a host.
     *
     * @param host as given in the unresolved address
     * @return the preferred address first; beyond 16, addresses are ignored. Null or an empty list has the effect of an
     *     UnknownHostException.
     * @throws UnknownHostException if the host has no address
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
