package org.freshet.handler.codec.embedder;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** The factory of embedded channels. Has no resources and creates no channels: only embedders do. */
final class EmbeddedChannelFactory implements ChannelFactory {
    static final ChannelFactory INSTANCE = new EmbeddedChannelFactory();

    private EmbeddedChannelFactory() {}

    @Override
    public Channel newChannel(ChannelPipeline pipeline) {
        throw new ChannelException("only an embedder can create an embedded channel");
    }

    @Override
    public void shutdown() {
        // No threads.
    }

    @Override
    public void releaseExternalResources() {
        // No resources.
    }
}
