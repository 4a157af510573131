package org.freshet.handler.timeout;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.ActsOn;

/** A {@link SimpleChannelUpstreamHandler} with one more method, for the events of an {@link IdleStateHandler} below it. */
@ActsOn({})
public class IdleStateAwareChannelUpstreamHandler extends SimpleChannelUpstreamHandler {
    public IdleStateAwareChannelUpstreamHandler() {}

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof IdleStateEvent idle) {
            channelIdle(ctx, idle);
        } else {
            super.handleUpstream(ctx, e);
        }
    }

    /** Called when nothing happened on the channel for some time. Passes the event on by default. */
    public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) throws Exception {
        ctx.sendUpstream(e);
    }
}
