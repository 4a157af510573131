package org.freshet.channel;

/**
 * The lower end of a pipeline: the transport. Takes the requests that passed all downstream handlers, and the exceptions that
 * handlers threw. Most transports extend {@link AbstractChannelSink}.
 */
public interface ChannelSink {
    /**
     * Carries a request out, or enqueues it for the channel's I/O thread; called on the thread that made the request. The
     * future of {@code e} completes in any case.
     *
     * @throws Exception anything; the pipeline fails the event's future with it
     */
    void eventSunk(ChannelPipeline pipeline, ChannelEvent e) throws Exception;

    /**
     * Handles what a handler or {@link #eventSunk} threw for {@code e}.
     *
     * @param cause its own cause is what was thrown
     * @throws Exception logged by the pipeline
     */
    void exceptionCaught(ChannelPipeline pipeline, ChannelEvent e, ChannelPipelineException cause) throws Exception;

    /**
     * Runs a task on the I/O thread of the pipeline's channel: at once when the caller is that thread, else soon.
     *
     * @return completed after the task ran; failed with what it threw
     */
    ChannelFuture execute(ChannelPipeline pipeline, Runnable task);
}
