package org.freshet.handler.codec.embedder;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelPipeline;

/** What embedded channels name as their factory; it has no resources, and only embedders make such channels. */
final class EmbeddedChannelFactory implements ChannelFactory {
    static final ChannelFactory INSTANCE = new EmbeddedChannelFactory();

    private EmbeddedChannelFactory() {}

    @Override
    public Channel newChannel(ChannelPipeline pipeline) {
        throw new ChannelException("only an embedder makes an embedded channel");
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
