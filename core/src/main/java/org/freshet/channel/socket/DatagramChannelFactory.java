package org.freshet.channel.socket;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

public interface DatagramChannelFactory extends ChannelFactory {
    DatagramChannel newChannel(ChannelPipeline pipeline);
}
