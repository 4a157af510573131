package org.freshet.handler.codec.protobuf;

import com.google.protobuf.MessageLite;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Turns a protobuf message, or a builder of one, into a buffer of its bytes; other messages pass. The bytes do not say how
 * long they are, see {@link ProtobufVarint32LengthFieldPrepender}. A builder that lacks a required field fails its write.
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
