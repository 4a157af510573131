package org.freshet.channel.local;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ServerChannelFactory;

/** Creates servers for clients in the same JVM; see {@link DefaultLocalServerChannelFactory}. */
public interface LocalServerChannelFactory extends ServerChannelFactory {
    @Override
    LocalServerChannel newChannel(ChannelPipeline pipeline);
}
