package org.freshet.channel.local;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

public interface LocalClientChannelFactory extends ChannelFactory {
    LocalChannel newChannel(ChannelPipeline pipeline);
}
