package org.freshet.bootstrap;

import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;

/** Where a bootstrap's pipelines come from: copies of a pipeline, or a user's factory. Immutable. */
final class PipelineSource {
    /** Null when a user's factory is used. */
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
            throw new IllegalStateException("a pipelineFactory is set, so there is no pipeline to get: " + factory);
        }
        return copied;
    }
}
