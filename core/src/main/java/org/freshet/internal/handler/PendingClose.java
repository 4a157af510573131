package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.Channels;

/**
 * Marks channels whose close was requested on this side: those that a handler keeps open for a while, for example to send a TLS alert
 * first, and those that did not close because their peer did. Any thread may call any method.
 */
public final class PendingClose {
    private static final ChannelLocal<Boolean> REQUESTED = new ChannelLocal<>();

    private PendingClose() {}

    /** Marks the channel: its close was requested and will be carried out. */
    public static void request(Channel channel) {
        REQUESTED.set(channel, Boolean.TRUE);
    }

    /**
     * Begins a lingering close, which lets the peer read the end of the output: requests the close, reads on, and ends the output after all
     * earlier writes. The caller closes the channel when the input has ended or time is up. What arrives until then has to be dropped.
     *
     * @param ended notified when the output has ended, or could not be
     */
    public static void endOutput(ChannelHandlerContext ctx, ChannelFutureListener ended) {
        Channel channel = ctx.getChannel();
        request(channel);
        ChannelFuture end = Channels.future(channel);
        end.addListener(ended);
        Channels.setInterestOps(ctx, Channels.future(channel), Channel.OP_READ);
        Channels.shutdownOutput(ctx, end);
    }

    /** Whether this side requested the close, as opposed to the peer or a failure of the connection. */
    public static boolean isRequested(Channel channel) {
        return REQUESTED.get(channel) != null;
    }

    /** Whether the channel is closed, or its close was requested. */
    public static boolean isClosing(Channel channel) {
        return !channel.isOpen() || isRequested(channel);
    }
}
