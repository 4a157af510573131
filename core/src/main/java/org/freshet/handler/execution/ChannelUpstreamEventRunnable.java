package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;

/** A task that sends an event on upstream. */
public class ChannelUpstreamEventRunnable extends ChannelEventRunnable {
    /**
     * @param ctx the place from which the event is sent on
     * @param executor the executor that will run this
     */
    public ChannelUpstreamEventRunnable(ChannelHandlerContext ctx, ChannelEvent e, Executor executor) {
        super(ctx, e, executor);
    }

    @Override
    protected void doRun() {
        ctx.sendUpstream(e);
    }
}
