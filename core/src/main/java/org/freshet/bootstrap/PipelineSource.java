package org.freshet.bootstrap;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;

/** Where a bootstrap's pipelines come from: copies of one pipeline, or a user's factory. Immutable. */
final class PipelineSource {
    /** Null if a user's factory is set. */
    private final ChannelPipeline copied;

    private final ChannelPipelineFactory factory;

    private PipelineSource(ChannelPipeline copied, ChannelPipelineFactory factory) {
        this.copied = copied;
        this.factory = factory;
    }

    static PipelineSource copying(ChannelPipeline pipeline) {
        return new PipelineSource(pipeline, Channels.pipelineFactory(pipeline));
    }

    static PipelineSource making(ChannelPipelineFactory factory) {
        return new PipelineSource(null, factory);
    }

    ChannelPipelineFactory factory() {
        return factory;
    }

    ChannelPipeline pipeline() {
        if (copied == null) {
            throw new IllegalStateException("a pipeline factory is set, so there is no pipeline to return: " + factory);
        }
        return copied;
    }
}
