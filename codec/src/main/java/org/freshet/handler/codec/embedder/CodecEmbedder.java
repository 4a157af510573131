package org.freshet.handler.codec.embedder;

import org.freshet.channel.ChannelPipeline;

/**
 * Runs handlers in a pipeline without a network: you {@linkplain #offer offer} a message at one end and
 * {@linkplain #poll poll} the products at the other.
 *
 * <p>Use it from one thread at a time. The channel is open and connected until {@link #finish()} is called or a handler
 * closes it.
 *
 * @param <E> the type of the products
 */
public interface CodecEmbedder<E> {
    /**
     * Sends a message into the pipeline. All handlers have run when this returns.
     *
     * @return whether a product waits to be polled
     * @throws CodecEmbedderException if a handler threw and no handler dealt with it; products made before and after
     *     that can still be polled
     * @throws IllegalStateException if the channel was closed, by {@link #finish()} or by a handler
     */
    boolean offer(Object input);

    /**
     * Closes the channel, so that handlers release what they hold back. Calling it again has no effect.
     *
     * @return whether a product waits to be polled
     * @throws CodecEmbedderException if a handler threw and no handler dealt with it
     */
    boolean finish();

    /** Removes and returns the next product; null if no product waits. */
    E poll();

    /** Returns the next product without removing it; null if no product waits. */
    E peek();

    /** Removes and returns all products. */
    Object[] pollAll();

    /**
     * Removes all products and returns them in {@code array} if they fit, else in a new array of the same type. If
     * {@code array} is longer, the element after the last product is set to null.
     *
     * @throws ArrayStoreException if the array cannot hold a product; no product is removed then
     */
    <T> T[] pollAll(T[] array);

    /** Returns the number of products waiting. */
    int size();

    /** Returns the pipeline: the handlers, followed by the one that collects the products. */
    ChannelPipeline getPipeline();
}
