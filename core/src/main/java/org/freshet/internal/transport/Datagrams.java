package org.freshet.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.socket.DatagramChannel;

/** Decisions common to the datagram channels of all transports. Any thread may call any method. */
public final class Datagrams {
    private Datagrams() {}

    /**
     * Returns the exception that handlers get in place of a datagram that did not fit.
     *
     * @param space the size of the space in bytes
     */
    public static ChannelException truncated(int space, SocketAddress sender) {
        return new TruncatedDatagramException("dropped a datagram of more than " + space + " bytes from " + sender
                + "; raise receiveBufferSizePredictorFactory (or receiveBufferSizePredictor)");
    }

    /**
     * Returns the interface on which to join a group if the user names none: the one in the config, otherwise the owner of the local
     * address, otherwise the first one that is up and supports multicast.
     *
     * @throws ChannelException if no interface qualifies
     */
    public static NetworkInterface multicastInterface(DatagramChannel channel) throws SocketException {
        NetworkInterface chosen = channel.getConfig().getNetworkInterface();
        if (chosen == null) {
            chosen = ownerOf(channel.getLocalAddress());
        }
        return chosen != null ? chosen : firstWithMulticast();
    }

    private static NetworkInterface ownerOf(InetSocketAddress local) throws SocketException {
        InetAddress address = local == null ? null : local.getAddress();
        return address == null || address.isAnyLocalAddress() ? null : NetworkInterface.getByInetAddress(address);
    }

    private static NetworkInterface firstWithMulticast() throws SocketException {
        for (NetworkInterface candidate : NetworkInterface.networkInterfaces().toArray(NetworkInterface[]::new)) {
            if (candidate.isUp() && candidate.supportsMulticast()) {
                return candidate;
            }
        }
        throw new ChannelException("no network interface is up and supports multicast");
    }
}
