package org.freshet.channel;

/**
 * The lower end of a pipeline: the transport. It receives the requests that passed all downstream handlers, and the exceptions thrown by
 * handlers. Most transports extend {@link AbstractChannelSink}.
 */
public interface ChannelSink {
    /**
     * Carries out a request, or enqueues it for the channel's I/O thread. Called on the thread that made the request. The future of
     * {@code e} completes in any case.
     *
     * @throws Exception anything; the pipeline fails the event's future with it
     */
    void eventSunk(ChannelPipeline pipeline, ChannelEvent e) throws Exception;

    /**
     * Handles an exception thrown by a handler or by {@link #eventSunk} for {@code e}.
     *
     * @param cause a wrapper: its cause is the exception that was thrown
     * @throws Exception logged by the pipeline
     */
    void exceptionCaught(ChannelPipeline pipeline, ChannelEvent e, ChannelPipelineException cause) throws Exception;

    /**
     * Runs a task on the I/O thread of the pipeline's channel: immediately if that is the calling thread, otherwise soon.
     *
     * @return completes after the task has run; fails with the task's exception
     */
    ChannelFuture execute(ChannelPipeline pipeline, Runnable task);
}
