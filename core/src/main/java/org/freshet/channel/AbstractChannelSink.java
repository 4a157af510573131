package org.freshet.channel;

/**
 * A sink that sends exceptions thrown by handlers up the pipeline, and runs tasks on the calling thread. Transports override both as
 * needed.
 */
public abstract class AbstractChannelSink implements ChannelSink {
    protected AbstractChannelSink() {}

    /**
     * Sends the exception up the pipeline as an {@link ExceptionEvent}: immediately, or on the channel's I/O thread if
     * {@link #isFireExceptionCaughtLater} returns true.
     */
    @Override
    public void exceptionCaught(ChannelPipeline pipeline, ChannelEvent event, ChannelPipelineException cause)
            throws Exception {
        Throwable actualCause = cause.getCause() != null ? cause.getCause() : cause;
        ExceptionEvent report = Failures.newEvent(event.getChannel(), actualCause);
        if (isFireExceptionCaughtLater(event, actualCause)) {
            pipeline.execute(() -> pipeline.sendUpstream(report));
        } else {
            pipeline.sendUpstream(report);
        }
    }

    /**
     * Whether to report a failure on the channel's I/O thread. By default it is reported immediately, on the thread on which the handler
     * failed.
     */
    protected boolean isFireExceptionCaughtLater(ChannelEvent event, Throwable actualCause) {
        return false;
    }

    /** Runs the task on the calling thread, for transports without an I/O thread. */
    @Override
    public ChannelFuture execute(ChannelPipeline pipeline, Runnable task) {
        ChannelFuture future = Channels.future(pipeline.getChannel());
        try {
            task.run();
            future.setSuccess();
        } catch (Throwable t) {
            future.setFailure(t);
        }
        return future;
    }
}
