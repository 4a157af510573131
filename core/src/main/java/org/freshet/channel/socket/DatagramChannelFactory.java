package org.freshet.channel.socket;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** Creates UDP channels. */
public interface DatagramChannelFactory extends ChannelFactory {
    @Override
    DatagramChannel newChannel(ChannelPipeline pipeline);
}
