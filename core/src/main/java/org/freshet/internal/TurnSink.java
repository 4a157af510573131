package org.freshet.internal;

import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;

/** A sink of channels that are {@link TakesTurns}: tasks, and reports of what handlers threw, run in the channel's turn. */
public abstract class TurnSink extends AbstractChannelSink {
    protected TurnSink() {}

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        TakesTurns channel = (TakesTurns) pipeline.getChannel();
        return channel.turn().execute(channel, task);
    }

    @Override
    protected boolean isFireExceptionCaughtLater(ChannelEvent event, Throwable actualCause) {
        return !((TakesTurns) event.getChannel()).turn().isMine();
    }
}
