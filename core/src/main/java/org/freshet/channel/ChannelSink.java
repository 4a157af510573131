package org.freshet.channel;

public interface ChannelSink {
    void eventSunk(ChannelPipeline pipeline, ChannelEvent e) throws Exception;

    void exceptionCaught(ChannelPipeline pipeline, ChannelEvent e, ChannelPipelineException channelPipelineException)
            throws Exception;

    ChannelFuture execute(ChannelPipeline pipeline, Runnable task);
}
