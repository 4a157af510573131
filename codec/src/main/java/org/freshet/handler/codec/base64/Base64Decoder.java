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
 * Decodes Base64 text, a {@link ChannelBuffer} or a {@link String}, into a buffer. Other messages pass through. Each
 * message must be a complete text: on a stream, put a frame decoder first.
 *
 * <p>Text that is not Base64 causes an {@code exceptionCaught} event with an {@link IllegalArgumentException}.
 * {@link Base64} describes what is tolerated.
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
            // A character beyond Latin-1 becomes a question mark, which is in no dialect.
            return decode(ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1));
        }
        return msg instanceof ChannelBuffer text ? decode(text) : msg;
    }

    private ChannelBuffer decode(ChannelBuffer text) {
        return Base64.decode(
                text, text.readerIndex(), text.readableBytes(), dialect, HeapChannelBufferFactory.getInstance());
    }
}
