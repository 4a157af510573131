package org.freshet.microbench.codec;

import java.nio.charset.Charset;
import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.handler.codec.string.StringDecoder;
import org.jboss.netty.handler.codec.string.StringEncoder;

/** Netty 3's string codec. */
final class Netty3Strings implements StringCoding {
    private final Channel channel;
    private final ChannelHandlerContext context;
    private final Encoder encoder;
    private final Decoder decoder;

    Netty3Strings(Charset charset) {
        encoder = new Encoder(charset);
        decoder = new Decoder(charset);
        channel = new Netty3Channel(Channels.pipeline(encoder));
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
