package org.freshet.handler.codec.protobuf;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Prepends the length of each written buffer as a base 128 varint of 1 to 5 bytes. Other messages pass through. Writes
 * the format of protobuf's {@code writeDelimitedTo}.
 *
 * @see ProtobufVarint32FrameDecoder
 */
@Sharable
public class ProtobufVarint32LengthFieldPrepender extends OneToOneEncoder {
    /** Up to this size, copying a body next to its length costs less than a composite buffer. */
    private static final int MAX_COPIED_BYTES = 512;

    private static final int MAX_VARINT_BYTES = 5;

    public ProtobufVarint32LengthFieldPrepender() {}

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (!(msg instanceof ChannelBuffer body)) {
            return msg;
        }
        int length = body.readableBytes();
        boolean copied = length <= MAX_COPIED_BYTES;
        ChannelBufferFactory factory = channel.getConfig().getBufferFactory();
        ChannelBuffer header = factory.getBuffer(body.order(), copied ? MAX_VARINT_BYTES + length : MAX_VARINT_BYTES);
        writeVarint(header, length);
        if (!copied) {
            return ChannelBuffers.wrappedBuffer(header, body);
        }
        header.writeBytes(body, body.readerIndex(), length);
        return header;
    }

    private static void writeVarint(ChannelBuffer buffer, int value) {
        int rest = value;
        while (rest > 0x7F) {
            buffer.writeByte(rest & 0x7F | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }
}
