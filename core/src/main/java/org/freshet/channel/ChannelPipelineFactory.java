package org.freshet.channel;

/** Makes the pipeline of each new channel. */
public interface ChannelPipelineFactory {
    /**
     * Returns a pipeline that is not attached yet. Called once for each channel, for accepted ones on the server's I/O thread.
     *
     * @throws Exception anything; the channel is not made then, and an accepted connection is closed
     */
    ChannelPipeline getPipeline() throws Exception;
}
