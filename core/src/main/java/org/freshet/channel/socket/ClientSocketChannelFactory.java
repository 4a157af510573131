package org.freshet.channel.socket;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** Makes TCP channels that are to be connected. */
public interface ClientSocketChannelFactory extends ChannelFactory {
    @Override
    SocketChannel newChannel(ChannelPipeline pipeline);
}
