package org.freshet.channel;

/**
 * A handler's position in one pipeline. The handler uses it to reach the next handlers and its channel.
 *
 * <p>A handler that was added to several pipelines, or to one under several names, has one context for each. A context outlives the removal
 * of its handler: if the handler still holds an event, it can send the event on, and the handlers that came next receive it.
 *
 * <p>Any thread may call any method.
 */
public interface ChannelHandlerContext {
    /** Null until the pipeline is attached. */
    Channel getChannel();

    ChannelPipeline getPipeline();

    /** The name given to the handler when it was added. */
    String getName();

    ChannelHandler getHandler();

    /** Whether the handler is a {@link ChannelUpstreamHandler}. */
    boolean canHandleUpstream();

    /** Whether the handler is a {@link ChannelDownstreamHandler}. */
    boolean canHandleDownstream();

    /** Sends an event to the next upstream handler, on the calling thread. */
    void sendUpstream(ChannelEvent e);

    /**
     * Sends an event to the next downstream handler, or to the sink if no such handler follows, on the calling thread. If a handler or the
     * sink throws, the event's future fails.
     *
     * @throws IllegalArgumentException if {@code e} is a received message
     */
    void sendDownstream(ChannelEvent e);

    /** Returns the object last passed to {@link #setAttachment}; null initially. */
    Object getAttachment();

    /** Stores an object of your choice in this context; null removes it. */
    void setAttachment(Object attachment);
}
