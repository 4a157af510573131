package org.freshet.channel.socket;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ServerChannelFactory;

/** Makes TCP channels that are to be bound and then accept connections. */
public interface ServerSocketChannelFactory extends ServerChannelFactory {
    @Override
    ServerSocketChannel newChannel(ChannelPipeline pipeline);
}
