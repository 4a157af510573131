package org.freshet.handler.codec.protobuf;

import com.google.protobuf.MessageLite;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Encodes a protobuf message, or a builder of one, as a buffer. Other messages pass through. The bytes have no length
 * field, see {@link ProtobufVarint32LengthFieldPrepender}. If a builder lacks a required field, the write fails.
 */
@Sharable
public class ProtobufEncoder extends OneToOneEncoder {
    public ProtobufEncoder() {}

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof MessageLite message) {
            return ChannelBuffers.wrappedBuffer(message.toByteArray());
        }
        if (msg instanceof MessageLite.Builder builder) {
            return ChannelBuffers.wrappedBuffer(builder.build().toByteArray());
        }
        return msg;
    }
}
