package org.freshet.channel.local;

import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** Creates clients for servers in the same JVM; see {@link DefaultLocalClientChannelFactory}. */
public interface LocalClientChannelFactory extends ChannelFactory {
    @Override
    LocalChannel newChannel(ChannelPipeline pipeline);
}
