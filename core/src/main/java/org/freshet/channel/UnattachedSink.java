package org.freshet.channel;

import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** The lower end of a pipeline without a channel: refuses everything and logs a warning. */
final class UnattachedSink implements ChannelSink {
    static final UnattachedSink INSTANCE = new UnattachedSink();

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(DefaultChannelPipeline.class);

    private UnattachedSink() {}

    @Override
    public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
        logger.warn("pipeline is not attached to a channel, event discarded: " + e);
        if (e.getFuture() != null) {
            e.getFuture().setFailure(notAttached(pipeline));
        }
    }

    @Override
    public void exceptionCaught(ChannelPipeline pipeline, ChannelEvent e, ChannelPipelineException cause) {
        logger.warn("pipeline is not attached to a channel, exception not reported for: " + e, cause);
    }

    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        logger.warn("pipeline is not attached to a channel, task discarded: " + task);
        ChannelFuture refused = new DefaultChannelFuture(null, false);
        refused.setFailure(notAttached(pipeline));
        return refused;
    }

    private static ChannelPipelineException notAttached(ChannelPipeline pipeline) {
        return new ChannelPipelineException("not attached to a channel: " + pipeline);
    }
}
