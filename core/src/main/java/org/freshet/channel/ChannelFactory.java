package org.freshet.channel;

import org.freshet.util.ExternalResourceReleasable;

public interface ChannelFactory extends ExternalResourceReleasable {
    Channel newChannel(ChannelPipeline pipeline);

    void shutdown();

    void releaseExternalResources();
}
