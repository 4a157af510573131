package org.freshet.channel;

/**
 * A handler's position in one pipeline, by which it reaches the next handlers and its channel.
 *
 * <p>A handler that was added to several pipelines, or to one under several names, has as many contexts. A context outlives the
 * removal of its handler: an event that the handler still holds can be sent on and reaches the handlers that came next.
 *
 * <p>All methods may be called from any thread.
 */
public interface ChannelHandlerContext {
    /** Null until the pipeline is attached. */
    Channel getChannel();

    ChannelPipeline getPipeline();

    /** The name under which the handler was added. */
    String getName();

    ChannelHandler getHandler();

    /** Whether the handler is a {@link ChannelUpstreamHandler}. */
    boolean canHandleUpstream();

    /** Whether the handler is a {@link ChannelDownstreamHandler}. */
    boolean canHandleDownstream();

    /** Sends an event to the next upstream handler, on the calling thread. */
    void sendUpstream(ChannelEvent e);

    /**
     * Sends an event to the next downstream handler, or to the sink if there is none, on the calling thread. A failure on the
     * way fails the event's future.
     *
     * @throws IllegalArgumentException if {@code e} is a received message
     */
    void sendDownstream(ChannelEvent e);

    /** What was last {@linkplain #setAttachment attached}; null at first. */
    Object getAttachment();

    /** Stores an object of the user's in this context; null removes it. */
    void setAttachment(Object attachment);
}
