package org.freshet.channel;

/**
 * Lets a handler prepare when it joins a pipeline and clean up when it leaves. The methods are called on the thread that edits the
 * pipeline, without a lock, so they may edit the pipeline, too. Do not wait for another thread in them.
 *
 * <p>If a method throws, the editing thread gets a {@link ChannelHandlerLifeCycleException}; each method says whether the handler is in the
 * pipeline then. {@linkplain ChannelPipeline#replace Replacing} a handler calls {@code beforeRemove} of the old one, {@code beforeAdd} of
 * the new one, {@code afterRemove} of the old one and {@code afterAdd} of the new one, in this order.
 *
 * <p>By default each method does nothing.
 */
public interface LifeCycleAwareChannelHandler extends ChannelHandler {
    /**
     * The handler is about to be added. It is not added if this throws. Neither is it if, in the meantime, its name was taken or the
     * handler to add it next to was removed; no further method is called then.
     */
    default void beforeAdd(ChannelHandlerContext ctx) throws Exception {}

    /** The handler is in the pipeline and may already have received events. If this throws, it is removed again. */
    default void afterAdd(ChannelHandlerContext ctx) throws Exception {}

    /** The handler is about to be removed. If this throws, it stays. */
    default void beforeRemove(ChannelHandlerContext ctx) throws Exception {}

    /** The handler has been removed, even if this throws. An event that was being sent to it may still arrive. */
    default void afterRemove(ChannelHandlerContext ctx) throws Exception {}
}
