package org.freshet.channel.local;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ServerChannelFactory;

public interface LocalServerChannelFactory extends ServerChannelFactory {
    LocalServerChannel newChannel(ChannelPipeline pipeline);
}
