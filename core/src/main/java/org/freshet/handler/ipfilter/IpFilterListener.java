package org.freshet.handler.ipfilter;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;

/** Notified of a filter's decisions, on the channel's I/O thread; may send a last message to a refused peer. */
public interface IpFilterListener {
    /**
     * A connection was allowed; its handlers have not received the connected event yet.
     *
     * @return ignored; may be null
     */
    ChannelFuture allowed(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress);

    /**
     * A connection was refused and will be closed.
     *
     * @return a future to wait for before the channel is closed, such as that of a message that was written through {@code
     *     ctx}; null closes it at once
     */
    ChannelFuture refused(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress);

    /**
     * Whether an event of a refused channel, from the connected event on, is passed up nevertheless. By default the handlers
     * above see neither that the channel was connected nor that it was closed.
     */
    boolean continues(ChannelHandlerContext ctx, ChannelEvent e);
}
