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
 * What all embedders are: a pipeline, a channel without a network, and queues of what came out of them.
 *
 * <p>Failures are collected while an event is under way and thrown when it has passed, so that the pipeline is never left
 * in the middle of an event.
 */
abstract class AbstractCodecEmbedder<E> implements CodecEmbedder<E> {
    private final EmbeddedPipeline pipeline = new EmbeddedPipeline();
    private final Queue<Object> products = new ArrayDeque<>();
    private final List<Throwable> failures = new ArrayList<>(0);
    private final EmbeddedChannel channel;

    /** One queue takes what comes out of both ends. */
    AbstractCodecEmbedder(ChannelBufferFactory bufferFactory, ChannelHandler... handlers) {
        this(null, bufferFactory, handlers);
    }

    /** @param written takes what comes out towards the network; null for the queue of the products */
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

    /** Something came out of either end of the pipeline. */
    void onProduct(Object product) {
        products.add(product);
    }

    /** A handler threw, and no handler dealt with it. */
    void onFailure(Throwable failure) {
        failures.add(failure);
    }

    /** The channel of the handlers: connected to nothing, and open until {@link #finish()} or until a handler closes it. */
    protected final Channel getChannel() {
        return channel;
    }

    /** Whether there is nothing to poll. */
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
    @SuppressWarnings("unchecked") // the user says what the handlers make
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

    /** The state and the products that wait, for messages of failed assertions. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + (channel.isOpen() ? "[open" : "[closed") + ", " + products.size()
                + " to poll: " + products + ']';
    }
}
