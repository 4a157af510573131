package org.freshet.channel.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/** A UDP socket. Its messages carry the sender's address; a connected one exchanges datagrams with one peer only. */
public interface DatagramChannel extends Channel {
    @Override
    DatagramChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    /** The peer; null while the channel is not connected. */
    @Override
    InetSocketAddress getRemoteAddress();

    /**
     * Joins a multicast group, on the interface of {@link DatagramChannelConfig#getNetworkInterface()}, else
     * on the one that owns the local address.
     *
     * @param multicastAddress the group
     * @return fails when the system refuses
     */
    ChannelFuture joinGroup(InetAddress multicastAddress);

    /**
     * Joins a multicast group.
     *
     * @param multicastAddress the group; its port does not matter
     * @param networkInterface where to listen for it
     * @return fails when the system refuses
     */
    ChannelFuture joinGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface);

    /**
     * Undoes {@link #joinGroup(InetAddress)}.
     *
     * @param multicastAddress the group
     * @return fails when the system refuses
     */
    ChannelFuture leaveGroup(InetAddress multicastAddress);

    /**
     * Undoes {@link #joinGroup(InetSocketAddress, NetworkInterface)}.
     *
     * @param multicastAddress the group; its port does not matter
     * @param networkInterface where it was joined
     * @return fails when the system refuses
     */
    ChannelFuture leaveGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface);
}
