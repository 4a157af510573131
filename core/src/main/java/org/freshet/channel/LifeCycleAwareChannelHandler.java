package org.freshet.channel;

/**
 * A handler that wants to know when it enters or leaves a pipeline. Called on the thread that edits the pipeline, without any
 * lock: it may edit the pipeline too. Do not wait here for another thread.
 *
 * <p>What a method throws reaches the editing thread as {@link ChannelHandlerLifeCycleException}; where the handler stands
 * then, each method tells. {@linkplain ChannelPipeline#replace Replacing} a handler calls {@code beforeRemove} of the old one,
 * {@code beforeAdd} of the new one, {@code afterRemove} of the old one and {@code afterAdd} of the new one, in this order.
 */
public interface LifeCycleAwareChannelHandler extends ChannelHandler {
    /**
     * The handler will be added. If this throws, it is not; nor if its name was taken, or the handler it was to stand beside was
     * removed, while this ran. Then it hears no more.
     */
    void beforeAdd(ChannelHandlerContext ctx) throws Exception;

    /** The handler sits in the pipeline, and events may have met it already. If this throws, it is removed again. */
    void afterAdd(ChannelHandlerContext ctx) throws Exception;

    /** The handler will be removed. If this throws, it stays. */
    void beforeRemove(ChannelHandlerContext ctx) throws Exception;

    /** The handler is out of the pipeline, whatever this throws. An event that was on its way to it may still arrive. */
    void afterRemove(ChannelHandlerContext ctx) throws Exception;
}
