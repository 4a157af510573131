package org.freshet.handler.ipfilter;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;

/** Is notified of a filter's decisions, on the channel's I/O thread. It may send a last message to a refused peer. */
public interface IpFilterListener {
    /**
     * Called when a connection was allowed, before its handlers receive the connected event.
     *
     * @return ignored; may be null
     */
    ChannelFuture allowed(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress);

    /**
     * Called when a connection was refused, before it is closed.
     *
     * @return a future to wait for before closing the channel, such as that of a message written through {@code ctx};
     *     null closes it immediately
     */
    ChannelFuture refused(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress);

    /**
     * Returns whether to pass an event of a refused channel up anyway, from the connected event on. By default the
     * handlers above see neither that the channel was connected nor that it was closed.
     */
    boolean continues(ChannelHandlerContext ctx, ChannelEvent e);
}
