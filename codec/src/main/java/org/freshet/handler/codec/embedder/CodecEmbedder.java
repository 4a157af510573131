package org.freshet.handler.codec.embedder;

import org.freshet.channel.ChannelPipeline;

/**
 * Handlers in a pipeline of their own, connected to nothing: what is {@linkplain #offer offered} at one end waits at the
 * other to be {@linkplain #poll polled}.
 *
 * <p>Not for use by several threads at once. The channel is open and connected until {@link #finish()}, or until a handler
 * closes it.
 *
 * @param <E> the type of the products
 */
public interface CodecEmbedder<E> {
    /**
     * Sends a message into the pipeline. Everything happens before the call returns.
     *
     * @return whether a product waits to be polled
     * @throws CodecEmbedderException if a handler threw and no handler dealt with it; what was made of the message before
     *     and after can be polled all the same
     * @throws IllegalStateException if the channel was closed, by {@link #finish()} or by a handler
     */
    boolean offer(Object input);

    /**
     * Closes the channel, on which handlers give out what they held back. Calling it again has no effect.
     *
     * @return whether a product waits to be polled
     * @throws CodecEmbedderException if a handler threw and no handler dealt with it
     */
    boolean finish();

    /** Takes the next product, or returns null if there is none. */
    E poll();

    /** The next product, which stays; null if there is none. */
    E peek();

    /** Takes all products. */
    Object[] pollAll();

    /**
     * Takes all products, into {@code array} if they fit and else into a new array of its type. What is left of a larger
     * array begins with null.
     *
     * @throws ArrayStoreException if the array cannot hold a product; none is taken then
     */
    <T> T[] pollAll(T[] array);

    /** How many products wait. */
    int size();

    /** The pipeline with the handlers and, at its end, the one that collects the products. */
    ChannelPipeline getPipeline();
}
