package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Prepends the length of each written buffer, in the buffer's byte order. Other messages pass through.
 *
 * <p>If the length does not fit into the field, the write fails with an {@link IllegalArgumentException}.
 *
 * @see LengthFieldBasedFrameDecoder
 */
@Sharable
public class LengthFieldPrepender extends OneToOneEncoder {
    /** Up to this size, copying a body next to its length costs less than a composite buffer. */
    private static final int MAX_COPIED_BYTES = 512;

    private final int lengthFieldLength;
    private final boolean lengthIncludesLengthFieldLength;

    /** The length does not include the length field. */
    public LengthFieldPrepender(int lengthFieldLength) {
        this(lengthFieldLength, false);
    }

    /**
     * @param lengthFieldLength bytes: 1, 2, 3, 4 or 8
     * @param lengthIncludesLengthFieldLength whether the length includes the length field
     */
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
