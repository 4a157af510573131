package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's string codec. Encoded buffers are released immediately, so the pool hands out the same memory again. */
final class Netty4Strings implements StringCoding {
    private final List<Object> out = new ArrayList<>();
    private final ChannelHandlerContext context;
    private final Encoder encoder;
    private final Decoder decoder;

    Netty4Strings(Charset charset) {
        Channel channel = Netty4Channel.create();
        channel.pipeline().addLast(new ChannelInboundHandlerAdapter());
        context = channel.pipeline().firstContext();
        encoder = new Encoder(charset);
        decoder = new Decoder(charset);
    }

    @Override
    public Object encode(String text) throws Exception {
        encoder.encode(context, text, out);
        ByteBuf encoded = (ByteBuf) taken();
        encoded.release();
        return encoded;
    }

    @Override
    public Object buffer(byte[] bytes) {
        return Unpooled.wrappedBuffer(bytes);
    }

    @Override
    public Object decode(Object buffer) throws Exception {
        decoder.decode(context, (ByteBuf) buffer, out);
        return taken();
    }

    private Object taken() {
        return out.remove(0);
    }

    private static final class Encoder extends StringEncoder {
        Encoder(Charset charset) {
            super(charset);
        }

        @Override
        protected void encode(ChannelHandlerContext context, CharSequence message, List<Object> out) throws Exception {
            super.encode(context, message, out);
        }
    }

    private static final class Decoder extends StringDecoder {
        Decoder(Charset charset) {
            super(charset);
        }

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf message, List<Object> out) throws Exception {
            super.decode(context, message, out);
        }
    }
}
