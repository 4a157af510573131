package org.freshet.handler.codec.serialization;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferOutputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;

/**
 * Serializes each message and prepends its length in 4 bytes, for {@link ObjectDecoder} and
 * {@link ObjectDecoderInputStream}. If a message is not serializable, its write fails with
 * {@link java.io.NotSerializableException}.
 */
@Sharable
public class ObjectEncoder extends OneToOneEncoder {
    static final int DEFAULT_ESTIMATED_LENGTH = 512;
    static final int LENGTH_FIELD_BYTES = 4;

    private final int estimatedLength;

    /** Estimates 512 bytes per message. */
    public ObjectEncoder() {
        this(DEFAULT_ESTIMATED_LENGTH);
    }

    /** @param estimatedLength typical size of a message in bytes, 0 or more; larger messages cost some copying */
    public ObjectEncoder(int estimatedLength) {
        checkEstimatedLength(estimatedLength);
        this.estimatedLength = estimatedLength;
    }

    static void checkEstimatedLength(int estimatedLength) {
        if (estimatedLength < 0) {
            throw new IllegalArgumentException("estimatedLength < 0: " + estimatedLength);
        }
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(
                Math.max(estimatedLength, LENGTH_FIELD_BYTES),
                channel.getConfig().getBufferFactory());
        buffer.writeInt(0); // placeholder for the length
        CompactObjectOutputStream out = new CompactObjectOutputStream(new ChannelBufferOutputStream(buffer));
        out.writeObject(msg);
        out.flush(); // not closed: that would only clear tables that are not used again
        buffer.setInt(0, buffer.writerIndex() - LENGTH_FIELD_BYTES);
        return buffer;
    }
}
