package org.freshet.microbench.codec;

import java.nio.charset.Charset;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's string codec. */
final class FreshetStrings implements StringCoding {
    private final Channel channel;
    private final ChannelHandlerContext context;
    private final Encoder encoder;
    private final Decoder decoder;

    FreshetStrings(Charset charset) {
        encoder = new Encoder(charset);
        decoder = new Decoder(charset);
        channel = new FreshetChannel(Channels.pipeline(encoder));
        context = channel.getPipeline().getContext(encoder);
    }

    @Override
    public Object encode(String text) throws Exception {
        return encoder.encode(context, channel, text);
    }

    @Override
    public Object buffer(byte[] bytes) {
        return ChannelBuffers.wrappedBuffer(bytes);
    }

    @Override
    public Object decode(Object buffer) throws Exception {
        return decoder.decode(context, channel, buffer);
    }

    private static final class Encoder extends StringEncoder {
        Encoder(Charset charset) {
            super(charset);
        }

        @Override
        protected Object encode(ChannelHandlerContext context, Channel channel, Object message) throws Exception {
            return super.encode(context, channel, message);
        }
    }

    private static final class Decoder extends StringDecoder {
        Decoder(Charset charset) {
            super(charset);
        }

        @Override
        protected Object decode(ChannelHandlerContext context, Channel channel, Object message) throws Exception {
            return super.decode(context, channel, message);
        }
    }
}
