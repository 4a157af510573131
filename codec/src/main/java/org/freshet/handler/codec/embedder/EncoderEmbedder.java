package org.freshet.handler.codec.embedder;

import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.Channels;

/**
 * Feeds downstream handlers, usually encoders. Each offered message is written through them.
 *
 * <pre>{@code
 * EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new StringEncoder(US_ASCII));
 * embedder.offer("one");
 * assertEquals("one", embedder.poll().toString(US_ASCII));
 * }</pre>
 */
public class EncoderEmbedder<E> extends AbstractCodecEmbedder<E> {
    /** @param handlers in the order of the pipeline */
    public EncoderEmbedder(ChannelDownstreamHandler... handlers) {
        super(null, handlers);
    }

    /**
     * @param bufferFactory the channel configuration's buffer factory, for the handlers
     * @param handlers in the order of the pipeline
     */
    public EncoderEmbedder(ChannelBufferFactory bufferFactory, ChannelDownstreamHandler... handlers) {
        super(bufferFactory, handlers);
    }

    @Override
    public boolean offer(Object input) {
        checkOpen(input);
        Channels.write(getChannel(), input);
        throwFailures();
        return !isEmpty();
    }
}
