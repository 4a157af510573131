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
 * Lets each address have one connection at a time: further ones are refused until it is closed. Must be shared by all
 * pipelines it is to count. All peers behind one address translator are one to it.
 */
@Sharable
public class OneIpFilterHandler extends IpFilteringHandlerImpl {
    /** Who holds the one place of each address. */
    private final ConcurrentMap<InetAddress, Channel> holders = new ConcurrentHashMap<>();

    public OneIpFilterHandler() {}

    /** The place is given up when the channel closes, however that comes about. */
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
