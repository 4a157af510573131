package org.freshet.handler.codec.embedder;

import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.frame.FrameDecoder;

/**
 * Feeds upstream handlers, usually decoders. Each offered message is received by them. Whatever they write is a
 * product, too.
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
     * @param bufferFactory the channel configuration's buffer factory, for the handlers
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
     * Returns the number of bytes that the frame decoders hold as the start of an incomplete frame. After
     * {@link #finish()}, the number they have discarded.
     */
    public int undecodedBytes() {
        return getPipeline().toMap().values().stream()
                .filter(FrameDecoder.class::isInstance)
                .mapToInt(decoder -> ((FrameDecoder) decoder).undecodedBytes())
                .sum();
    }
}
