package org.freshet.channel;

public interface ChannelPipelineFactory {
    ChannelPipeline getPipeline() throws Exception;
}
