package org.freshet.handler.codec.base64;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/** Encodes a {@link ChannelBuffer} as Base64 text. Other messages pass through. Adds no delimiter. */
@Sharable
public class Base64Encoder extends OneToOneEncoder {
    private final boolean breakLines;
    private final Base64Dialect dialect;

    /** Standard dialect, with line breaks. */
    public Base64Encoder() {
        this(true);
    }

    /** Standard dialect. */
    public Base64Encoder(boolean breakLines) {
        this(breakLines, Base64Dialect.STANDARD);
    }

    public Base64Encoder(boolean breakLines, Base64Dialect dialect) {
        this.breakLines = breakLines;
        this.dialect = Objects.requireNonNull(dialect, "dialect");
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        return msg instanceof ChannelBuffer src
                ? Base64.encode(
                        src,
                        src.readerIndex(),
                        src.readableBytes(),
                        breakLines,
                        dialect,
                        HeapChannelBufferFactory.getInstance())
                : msg;
    }
}
