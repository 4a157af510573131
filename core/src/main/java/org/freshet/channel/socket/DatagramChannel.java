package org.freshet.channel.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/** A UDP socket. Its messages carry the sender's address; a connected channel exchanges datagrams with one peer only. */
public interface DatagramChannel extends Channel {
    @Override
    DatagramChannelConfig getConfig();

    @Override
    InetSocketAddress getLocalAddress();

    /** The peer; null while the channel is not connected. */
    @Override
    InetSocketAddress getRemoteAddress();

    /**
     * Joins a multicast group on the interface of {@link DatagramChannelConfig#getNetworkInterface()} or, if that is null, the interface
     * that owns the local address.
     *
     * @param multicastAddress the group
     * @return fails if the system refuses
     */
    ChannelFuture joinGroup(InetAddress multicastAddress);

    /**
     * Joins a multicast group.
     *
     * @param multicastAddress the group; its port does not matter
     * @param networkInterface where to listen for it
     * @return fails if the system refuses
     */
    ChannelFuture joinGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface);

    /**
     * Leaves a group joined with {@link #joinGroup(InetAddress)}.
     *
     * @param multicastAddress the group
     * @return fails if the system refuses
     */
    ChannelFuture leaveGroup(InetAddress multicastAddress);

    /**
     * Leaves a group joined with {@link #joinGroup(InetSocketAddress, NetworkInterface)}.
     *
     * @param multicastAddress the group; its port does not matter
     * @param networkInterface where it was joined
     * @return fails if the system refuses
     */
    ChannelFuture leaveGroup(InetSocketAddress multicastAddress, NetworkInterface networkInterface);
}
