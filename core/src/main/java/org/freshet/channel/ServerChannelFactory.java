package org.freshet.channel;

/** Creates {@link ServerChannel}s. */
public interface ServerChannelFactory extends ChannelFactory {
    @Override
    ServerChannel newChannel(ChannelPipeline pipeline);
}
