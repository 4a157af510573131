package org.freshet.channel.socket;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** Creates TCP channels for client connections. */
public interface ClientSocketChannelFactory extends ChannelFactory {
    @Override
    SocketChannel newChannel(ChannelPipeline pipeline);
}
