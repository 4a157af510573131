package org.freshet.channel.local;

import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.channel.Channel;

/** The registry of names in this JVM. Any thread may call any method. */
final class LocalNames {
    private static final ConcurrentMap<LocalAddress, Channel> OWNERS = new ConcurrentHashMap<>();
    private static final AtomicLong lastEphemeral = new AtomicLong();

    private LocalNames() {}

    /**
     * Claims the requested name for a channel, or a new one for an ephemeral address.
     *
     * @throws BindException if another channel has the name
     * @throws IllegalArgumentException if the address is not a {@link LocalAddress}
     */
    static LocalAddress claim(SocketAddress wanted, Channel channel) throws BindException {
        LocalAddress address = local(wanted);
        if (address.isEphemeral()) {
            return claimFresh(channel);
        }
        Channel owner = OWNERS.putIfAbsent(address, channel);
        if (owner != null) {
            throw new BindException(owner + " is bound to " + address);
        }
        return address;
    }

    static LocalAddress claimFresh(Channel channel) {
        LocalAddress address;
        do {
            address = new LocalAddress(LocalAddress.EPHEMERAL + "-" + lastEphemeral.incrementAndGet());
        } while (OWNERS.putIfAbsent(address, channel) != null);
        return address;
    }

    /** Has no effect if the channel does not own the name. */
    static void release(LocalAddress address, Channel channel) {
        OWNERS.remove(address, channel);
    }

    /**
     * Finds a server by name.
     *
     * @throws ConnectException if no server has this name
     * @throws IllegalArgumentException if the address is not a {@link LocalAddress}
     */
    static DefaultLocalServerChannel server(SocketAddress address) throws ConnectException {
        if (OWNERS.get(local(address)) instanceof DefaultLocalServerChannel server) {
            return server;
        }
        throw refused(address);
    }

    static ConnectException refused(SocketAddress address) {
        return new ConnectException("connection refused, no server is bound: " + address);
    }

    static ConnectException full(SocketAddress address) {
        return new ConnectException("connection refused, the server has reached its connection limit: " + address);
    }

    private static LocalAddress local(SocketAddress address) {
        if (address instanceof LocalAddress local) {
            return local;
        }
        throw new IllegalArgumentException("not a LocalAddress: " + address);
    }
}
