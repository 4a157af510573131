package org.freshet.channel;

/**
 * The lower end of a pipeline: the transport. Takes the requests that passed all downstream handlers and is told what handlers
 * threw. Most transports extend {@link AbstractChannelSink}.
 */
public interface ChannelSink {
    /**
     * Carries a request out, or enqueues it for the channel's I/O thread; called on the thread that made the request. Whatever
     * happens, {@code e}'s future is completed in the end.
     *
     * @throws Exception anything; the pipeline fails the event's future with it
     */
    void eventSunk(ChannelPipeline pipeline, ChannelEvent e) throws Exception;

    /**
     * Deals with what a handler or {@link #eventSunk} threw while {@code e} passed.
     *
     * @param cause tells by its own cause what was thrown
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
