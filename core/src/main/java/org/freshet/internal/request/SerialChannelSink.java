package org.freshet.internal.request;

import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;

/** A sink of {@link SerialChannel}s: tasks and exception events run in the channel's {@link SerialExecutor}. */
public abstract class SerialChannelSink extends AbstractChannelSink {
    protected SerialChannelSink() {}

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        SerialChannel channel = (SerialChannel) pipeline.getChannel();
        return channel.serialExecutor().submit(channel, task);
    }

    @Override
    protected boolean isFireExceptionCaughtLater(ChannelEvent event, Throwable actualCause) {
        return !((SerialChannel) event.getChannel()).serialExecutor().isHeldByCurrentThread();
    }
}
