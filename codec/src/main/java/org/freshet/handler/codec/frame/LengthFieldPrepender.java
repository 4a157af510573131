package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Puts before each written buffer how many bytes it has, in the byte order of that buffer. Other messages pass.
 *
 * <p>A buffer too long for the field fails its write with {@link IllegalArgumentException}.
 *
 * @see LengthFieldBasedFrameDecoder
 */
@Sharable
public class LengthFieldPrepender extends OneToOneEncoder {
    /** Up to this size, copying a body next to its length costs less than a composite of the two. */
    private static final int MAX_COPIED_BYTES = 512;

    private final int lengthFieldLength;
    private final boolean lengthIncludesLengthFieldLength;

    /** The length does not count the field itself. */
    public LengthFieldPrepender(int lengthFieldLength) {
        this(lengthFieldLength, false);
    }

    /** @param lengthFieldLength bytes: 1, 2, 3, 4 or 8 */
    public LengthFieldPrepender(int lengthFieldLength, boolean lengthIncludesLengthFieldLength) {
        LengthFields.checkLength(lengthFieldLength);
        this.lengthFieldLength = lengthFieldLength;
        this.lengthIncludesLengthFieldLength = lengthIncludesLengthFieldLength;
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof ChannelBuffer)) {
            return msg;
        }
        ChannelBuffer body = (ChannelBuffer) msg;
        int bodyLength = body.readableBytes();
        boolean copied = bodyLength <= MAX_COPIED_BYTES;
        ChannelBufferFactory factory = channel.getConfig().getBufferFactory();
        ChannelBuffer header =
                factory.getBuffer(body.order(), copied ? lengthFieldLength + bodyLength : lengthFieldLength);
        LengthFields.write(
                header,
                lengthFieldLength,
                lengthIncludesLengthFieldLength ? (long) bodyLength + lengthFieldLength : bodyLength);
        if (!copied) {
            return ChannelBuffers.wrappedBuffer(header, body);
        }
        header.writeBytes(body, body.readerIndex(), bodyLength);
        return header;
    }
}
