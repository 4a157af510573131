package org.freshet.handler.codec.base64;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneDecoder;

/**
 * Turns Base64 text, a {@link ChannelBuffer} or a {@link String}, into a buffer of the bytes it stands for; other messages
 * pass. A message must hold a whole text: on a stream, a frame decoder comes first.
 *
 * <p>Text that is not Base64 becomes an {@code exceptionCaught} event with an {@link IllegalArgumentException}; see {@link
 * Base64} for what is forgiven.
 */
@Sharable
@ChannelHandler.Borrower
public class Base64Decoder extends OneToOneDecoder {
    private final Base64Dialect dialect;

    /** Decodes the standard dialect. */
    public Base64Decoder() {
        this(Base64Dialect.STANDARD);
    }

    public Base64Decoder(Base64Dialect dialect) {
        this.dialect = Objects.requireNonNull(dialect, "dialect");
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof String text) {
            // A character beyond Latin-1 becomes a question mark, which no dialect knows.
            return decode(ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1));
        }
        return msg instanceof ChannelBuffer text ? decode(text) : msg;
    }

    private ChannelBuffer decode(ChannelBuffer text) {
        return Base64.decode(
                text, text.readerIndex(), text.readableBytes(), dialect, HeapChannelBufferFactory.getInstance());
    }
}
