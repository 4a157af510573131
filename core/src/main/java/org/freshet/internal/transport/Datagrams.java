package org.freshet.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import org.freshet.channel.ChannelException;
import org.freshet.channel.socket.DatagramChannel;

/** What datagram channels of all transports decide alike. Any thread. */
public final class Datagrams {
    private Datagrams() {}

    /**
     * What handlers get instead of a datagram that did not fit in.
     *
     * @param space the bytes there were
     */
    public static ChannelException truncated(int space, SocketAddress sender) {
        return new TruncatedDatagramException("datagram > " + space + " bytes was dropped, from " + sender
                + "; raise receiveBufferSizePredictorFactory (or receiveBufferSizePredictor)");
    }

    /**
     * The interface on which to join a group when the user names none: the one in the config, else the owner of the local
     * address, else the first that is up and knows multicast.
     *
     * @throws ChannelException if there is none
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
