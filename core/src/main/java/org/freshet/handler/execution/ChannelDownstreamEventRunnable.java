package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;

/** A task that sends an event on downstream. */
public class ChannelDownstreamEventRunnable extends ChannelEventRunnable {
    /**
     * @param ctx the place from which the event is sent on
     * @param executor the executor that will run this
     */
    public ChannelDownstreamEventRunnable(ChannelHandlerContext ctx, ChannelEvent e, Executor executor) {
        super(ctx, e, executor);
    }

    @Override
    protected void doRun() {
        ctx.sendDownstream(e);
    }
}
