package org.freshet.channel;

/** Creates the pipeline of each new channel. */
public interface ChannelPipelineFactory {
    /**
     * Returns a pipeline that is not attached yet. Called once per channel; for accepted channels, on the server's I/O thread.
     *
     * @throws Exception anything; the channel is not created then, and an accepted connection is closed
     */
    ChannelPipeline getPipeline() throws Exception;
}
