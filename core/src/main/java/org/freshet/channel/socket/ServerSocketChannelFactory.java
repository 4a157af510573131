package org.freshet.channel.socket;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ServerChannelFactory;

public interface ServerSocketChannelFactory extends ServerChannelFactory {
    ServerSocketChannel newChannel(ChannelPipeline pipeline);
}
