package org.freshet.channel;

/** Makes {@link ServerChannel}s. */
public interface ServerChannelFactory extends ChannelFactory {
    @Override
    ServerChannel newChannel(ChannelPipeline pipeline);
}
