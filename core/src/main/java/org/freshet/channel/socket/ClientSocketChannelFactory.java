package org.freshet.channel.socket;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

public interface ClientSocketChannelFactory extends ChannelFactory {
    SocketChannel newChannel(ChannelPipeline pipeline);
}
