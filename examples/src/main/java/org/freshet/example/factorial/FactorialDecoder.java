package org.freshet.example.factorial;

import java.math.BigInteger;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.replay.ReplayingDecoder;

/**
 * Reads questions and answers as if all bytes had arrived. If bytes are missing, the replaying decoder returns to the
 * last checkpoint when more arrive.
 *
 * <pre>
 * question: 'Q', first (4 bytes), last (4 bytes)            a {@link Range}
 * answer:   'A', length (4 bytes), that many bytes          a {@link BigInteger}, two's complement, big endian
 * </pre>
 */
final class FactorialDecoder extends ReplayingDecoder<FactorialDecoder.State> {
    static final int QUESTION = 'Q';
    static final int ANSWER = 'A';
    private static final int MAX_NUMBER_BYTES = 4 * 1024 * 1024;

    enum State {
        HEAD,
        NUMBER
    }

    /** Length of the number that follows; set just before a checkpoint, so that a replay finds it. */
    private int length;

    FactorialDecoder() {
        super(State.HEAD);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, State state)
            throws CorruptedFrameException, TooLongFrameException {
        if (state == State.NUMBER) {
            byte[] number = new byte[length];
            buffer.readBytes(number);
            checkpoint(State.HEAD);
            return new BigInteger(number);
        }
        int type = buffer.readByte();
        if (type == QUESTION) {
            return new Range(buffer.readInt(), buffer.readInt());
        }
        if (type != ANSWER) {
            buffer.skipBytes(actualReadableBytes()); // where the next message begins is unknown
            throw new CorruptedFrameException("neither question nor answer: " + type);
        }
        int announced = buffer.readInt();
        if (announced < 1 || announced > MAX_NUMBER_BYTES) { // checked before memory is allocated for it
            buffer.skipBytes(actualReadableBytes());
            throw new TooLongFrameException("bytes of a number not in 1 to " + MAX_NUMBER_BYTES + ": " + announced);
        }
        length = announced;
        checkpoint(State.NUMBER);
        return null;
    }
}
