package org.freshet.handler.codec.embedder;

import java.util.ArrayDeque;
import java.util.Queue;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.Channels;

/**
 * Feeds a whole pipeline from both ends, and keeps apart what comes out of each: messages that reached the end of the pipeline wait for
 * {@link #poll}, messages that would leave for the network wait for {@link #pollWritten}.
 *
 * <pre>{@code
 * ChannelEmbedder<String> embedder = new ChannelEmbedder<>(
 *         new LineBasedFrameDecoder(80), new StringDecoder(US_ASCII), new StringEncoder(US_ASCII), new GreetingHandler());
 * embedder.offer(ChannelBuffers.copiedBuffer("Ada\n", US_ASCII));
 * assertEquals("Hello, Ada", ((ChannelBuffer) embedder.pollWritten()).toString(US_ASCII));
 * assertNull(embedder.poll());
 * }</pre>
 *
 * <p>Like the other embedders it's not for several threads at once, and {@link #offer}, {@link #write} and {@link #finish} throw what a
 * handler threw and no handler dealt with, as a {@link CodecEmbedderException}.
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
     * Sends a message in from the network.
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
     * @return the write's future; it has succeeded if the message came out towards the network
     * @throws IllegalStateException if the channel is closed
     */
    public ChannelFuture write(Object message) {
        checkOpen(message);
        ChannelFuture future = Channels.write(getChannel(), message);
        throwFailures();
        return future;
    }

    /** Takes the next message that would leave for the network; null if there is none. */
    public Object pollWritten() {
        return written.poll();
    }

    /** The channel of the handlers: connected, until {@link #finish} or until a handler closes it. */
    public final Channel channel() {
        return getChannel();
    }
}
