package org.freshet.handler.codec.string;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Encodes a {@link String} as a buffer of bytes. Other messages pass through. Adds no line end and no length.
 *
 * <p>Characters missing in the charset and unpaired surrogates are never an error: each becomes the charset's
 * replacement, usually a question mark.
 */
@Sharable
public class StringEncoder extends OneToOneEncoder {
    private final Charset charset;

    /** Encodes with the JVM's default charset. */
    public StringEncoder() {
        this(Charset.defaultCharset());
    }

    public StringEncoder(Charset charset) {
        if (charset == null) {
            throw new NullPointerException("charset");
        }
        this.charset = charset;
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof String)) {
            return msg;
        }
        // String.getBytes has vectorized paths for ASCII and Latin-1. Either way the array is ours: no copy.
        byte[] bytes = charset == StandardCharsets.UTF_8 ? Utf8.encode((String) msg) : ((String) msg).getBytes(charset);
        return ChannelBuffers.wrappedBuffer(
                channel.getConfig().getBufferFactory().getDefaultOrder(), bytes);
    }
}
