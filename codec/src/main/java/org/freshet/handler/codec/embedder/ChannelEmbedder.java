package org.freshet.handler.codec.embedder;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;

/**
 * Feeds a pipeline from both ends and keeps the outputs apart. Messages that reach the end of the pipeline wait for
 * {@link #poll}; messages on their way to the network wait for {@link #pollWritten}.
 *
 * <pre>{@code
 * ChannelEmbedder<String> embedder = new ChannelEmbedder<>(
 *         new LineBasedFrameDecoder(80), new StringDecoder(US_ASCII), new StringEncoder(US_ASCII), new GreetingHandler());
 * embedder.offer(ChannelBuffers.copiedBuffer("Ada\n", US_ASCII));
 * assertEquals("Hello, Ada", ((ChannelBuffer) embedder.pollWritten()).toString(US_ASCII));
 * assertNull(embedder.poll());
 * }</pre>
 *
 * <p>Use it from one thread at a time, like the other embedders. If a handler throws and no handler deals with it,
 * {@link #offer}, {@link #write} and {@link #finish} throw a {@link CodecEmbedderException}.
 *
 * @param <E> the type of the messages that reach the end of the pipeline
 */
public class ChannelEmbedder<E> extends AbstractCodecEmbedder<E> {
    private final Queue<Object> written;

    /** @param handlers in the order of the pipeline; the channel is connected when this returns */
    public ChannelEmbedder(ChannelHandler... handlers) {
        this(new ArrayDeque<>(), handlers);
    }

    private ChannelEmbedder(Queue<Object> written, ChannelHandler... handlers) {
        super(written, null, handlers);
        this.written = written;
    }

    /**
     * Receives a message, as if from the network.
     *
     * @return whether a message waits at the end of the pipeline
     * @throws IllegalStateException if the channel is closed
     */
    @Override
    public boolean offer(Object input) {
        checkOpen(input);
        receive(input);
        throwFailures();
        return !isEmpty();
    }

    /**
     * Writes a message to the channel, as the application would.
     *
     * @return the future of the write; it has succeeded if the message reached the network end
     * @throws IllegalStateException if the channel is closed
     */
    public ChannelFuture write(Object message) {
        checkOpen(message);
        ChannelFuture future = Channels.write(getChannel(), message);
        throwFailures();
        return future;
    }

    /** Removes and returns the next message for the network; null if there is no such message. */
    public Object pollWritten() {
        return written.poll();
    }

    /**
     * Returns the channel of the handlers. It stays connected until {@link #finish} is called or a handler closes it.
     */
    public final Channel channel() {
        return getChannel();
    }
}
