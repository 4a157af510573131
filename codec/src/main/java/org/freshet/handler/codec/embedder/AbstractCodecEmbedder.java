package org.freshet.handler.codec.embedder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;

/**
 * The common part of all embedders: a pipeline, a channel without a network, and queues for the output.
 *
 * <p>Failures are collected during an event and thrown after it, so the pipeline is never left in the middle of an
 * event.
 */
abstract class AbstractCodecEmbedder<E> implements CodecEmbedder<E> {
    private final EmbeddedPipeline pipeline = new EmbeddedPipeline();
    private final Queue<Object> products = new ArrayDeque<>();
    private final List<Throwable> failures = new ArrayList<>(0);
    private final EmbeddedChannel channel;

    /** Uses one queue for the output of both ends. */
    AbstractCodecEmbedder(ChannelBufferFactory bufferFactory, ChannelHandler... handlers) {
        this(null, bufferFactory, handlers);
    }

    /** @param written the queue for messages to the network; null to put them with the products */
    AbstractCodecEmbedder(Queue<Object> written, ChannelBufferFactory bufferFactory, ChannelHandler... handlers) {
        Objects.requireNonNull(handlers, "handlers");
        for (int i = 0; i < handlers.length; i++) {
            pipeline.addLast(String.valueOf(i), Objects.requireNonNull(handlers[i], "handlers[" + i + "]"));
        }
        pipeline.addCollector(new ProductCollector(this::onProduct, this::onFailure));
        channel = new EmbeddedChannel(pipeline, written == null ? this::onProduct : written::add);
        if (bufferFactory != null) {
            channel.getConfig().setBufferFactory(bufferFactory);
        }
        channel.open();
        throwFailures();
    }

    final void receive(Object input) {
        EmbeddedLoan.receive(channel, pipeline, input);
    }

    /** Called when a message comes out of either end of the pipeline. */
    void onProduct(Object product) {
        products.add(product);
    }

    /** Called when a handler threw and no handler dealt with it. */
    void onFailure(Throwable failure) {
        failures.add(failure);
    }

    /**
     * Returns the channel of the handlers. It has no network and is open until {@link #finish()} is called or a handler
     * closes it.
     */
    protected final Channel getChannel() {
        return channel;
    }

    /** Returns whether no product waits. */
    protected final boolean isEmpty() {
        return products.isEmpty();
    }

    final void checkOpen(Object input) {
        if (!channel.isOpen()) {
            throw new IllegalStateException("the embedder's channel is closed, cannot offer " + input);
        }
    }

    final void throwFailures() {
        if (failures.isEmpty()) {
            return;
        }
        Throwable first = failures.get(0);
        CodecEmbedderException e = new CodecEmbedderException(first.toString(), first);
        failures.stream().skip(1).forEach(e::addSuppressed);
        failures.clear();
        throw e;
    }

    @Override
    public boolean finish() {
        if (channel.isOpen()) {
            channel.finish();
        }
        throwFailures();
        return !isEmpty();
    }

    @Override
    @SuppressWarnings("unchecked") // the user states what type the handlers produce
    public E poll() {
        return (E) products.poll();
    }

    @Override
    @SuppressWarnings("unchecked") // as above
    public E peek() {
        return (E) products.peek();
    }

    @Override
    public Object[] pollAll() {
        return pollAll(new Object[0]);
    }

    @Override
    public <T> T[] pollAll(T[] array) {
        Objects.requireNonNull(array, "array");
        T[] all = products.toArray(array);
        products.clear();
        return all;
    }

    @Override
    public int size() {
        return products.size();
    }

    @Override
    public ChannelPipeline getPipeline() {
        return pipeline;
    }

    /** The state and the waiting products, for assertion messages. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + (channel.isOpen() ? "[open" : "[closed") + ", " + products.size()
                + " to poll: " + products + ']';
    }
}
