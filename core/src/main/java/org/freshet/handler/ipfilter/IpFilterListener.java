package org.freshet.handler.ipfilter;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;

/** Is told what a filter decides, on the channel's I/O thread, and can say a last word to those who are refused. */
public interface IpFilterListener {
    /**
     * A connection was let in; its handlers have not yet been told that it is connected.
     *
     * @return of no meaning; null is fine
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
     * Whether an event of a refused channel, from the connected event on, shall go up nevertheless. Without it the handlers
     * above see neither that the channel was connected nor that it was closed.
     */
    boolean continues(ChannelHandlerContext ctx, ChannelEvent e);
}
