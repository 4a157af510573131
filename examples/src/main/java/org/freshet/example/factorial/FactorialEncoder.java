package org.freshet.example.factorial;

import java.math.BigInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/** Writes the format that {@link FactorialDecoder} reads. */
@Sharable
final class FactorialEncoder extends OneToOneEncoder {
    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object message) {
        if (message instanceof Range) {
            ChannelBuffer question = ChannelBuffers.buffer(9);
            question.writeByte(FactorialDecoder.QUESTION);
            question.writeInt(((Range) message).first());
            question.writeInt(((Range) message).last());
            return question;
        }
        byte[] number = ((BigInteger) message).toByteArray();
        ChannelBuffer head = ChannelBuffers.buffer(5);
        head.writeByte(FactorialDecoder.ANSWER);
        head.writeInt(number.length);
        return ChannelBuffers.wrappedBuffer(head, ChannelBuffers.wrappedBuffer(number));
    }
}
