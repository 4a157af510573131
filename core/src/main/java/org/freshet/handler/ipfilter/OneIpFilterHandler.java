package org.freshet.handler.ipfilter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Allows one connection per address at a time and refuses others until it is closed. Share one instance among all
 * pipelines that count together. All peers behind one NAT count as one.
 */
@Sharable
public class OneIpFilterHandler extends IpFilteringHandlerImpl {
    /** The open connection of each address. */
    private final ConcurrentMap<InetAddress, Channel> holders = new ConcurrentHashMap<>();

    public OneIpFilterHandler() {}

    /** The entry is removed when the channel closes, for any reason. */
    @Override
    protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress)
            throws Exception {
        InetAddress peer = inetSocketAddress.getAddress();
        Channel channel = e.getChannel();
        if (holders.putIfAbsent(peer, channel) != null) {
            return false;
        }
        channel.getCloseFuture().addListener(closed -> holders.remove(peer, channel));
        return true;
    }
}
