package org.freshet.handler.codec.embedder;

import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.frame.FrameDecoder;

/**
 * Feeds upstream handlers, usually decoders, as if what is offered had been received. What they write is a product, too.
 *
 * <pre>{@code
 * DecoderEmbedder<String> embedder =
 *         new DecoderEmbedder<>(new LineBasedFrameDecoder(80), new StringDecoder(US_ASCII));
 * embedder.offer(ChannelBuffers.copiedBuffer("one\ntw", US_ASCII));
 * assertEquals("one", embedder.poll());
 * embedder.finish();
 * assertEquals(2, embedder.undecodedBytes());
 * }</pre>
 */
public class DecoderEmbedder<E> extends AbstractCodecEmbedder<E> {
    /** @param handlers in the order of the pipeline */
    public DecoderEmbedder(ChannelUpstreamHandler... handlers) {
        super(null, handlers);
    }

    /**
     * @param bufferFactory what handlers find in the channel's configuration
     * @param handlers in the order of the pipeline
     */
    public DecoderEmbedder(ChannelBufferFactory bufferFactory, ChannelUpstreamHandler... handlers) {
        super(bufferFactory, handlers);
    }

    @Override
    public boolean offer(Object input) {
        checkOpen(input);
        receive(input);
        throwFailures();
        return !isEmpty();
    }

    /**
     * How many received bytes the frame decoders hold because they are no whole frame yet or, after {@link #finish()},
     * how many they have discarded.
     */
    public int undecodedBytes() {
        return getPipeline().toMap().values().stream()
                .filter(FrameDecoder.class::isInstance)
                .mapToInt(decoder -> ((FrameDecoder) decoder).undecodedBytes())
                .sum();
    }
}
