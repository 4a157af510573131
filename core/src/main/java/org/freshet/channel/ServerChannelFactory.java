package org.freshet.channel;

public interface ServerChannelFactory extends ChannelFactory {
    ServerChannel newChannel(ChannelPipeline pipeline);
}
