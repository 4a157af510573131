package org.freshet.handler.execution;

import java.util.concurrent.Executor;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;

/** Sends an event on its way down. */
public class ChannelDownstreamEventRunnable extends ChannelEventRunnable {
    /**
     * @param ctx from where the event is sent on
     * @param executor the one that is going to run this
     */
    public ChannelDownstreamEventRunnable(ChannelHandlerContext ctx, ChannelEvent e, Executor executor) {
        super(ctx, e, executor);
    }

    @Override
    protected void doRun() {
        ctx.sendDownstream(e);
    }
}
