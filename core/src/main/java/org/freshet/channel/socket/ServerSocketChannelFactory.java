package org.freshet.channel.socket;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ServerChannelFactory;

/** Creates TCP server channels. */
public interface ServerSocketChannelFactory extends ServerChannelFactory {
    @Override
    ServerSocketChannel newChannel(ChannelPipeline pipeline);
}
