package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.jboss.marshalling.Marshaller;

/** Marshals each message and prepends its length in 4 bytes, for {@link MarshallingDecoder}. */
@Sharable
public class MarshallingEncoder extends OneToOneEncoder {
    static final int LENGTH_FIELD_BYTES = 4;
    private static final int DEFAULT_ESTIMATED_LENGTH = 512;

    private final MarshallerProvider provider;
    private final int estimatedLength;

    /** Estimates 512 bytes per message. */
    public MarshallingEncoder(MarshallerProvider provider) {
        this(provider, DEFAULT_ESTIMATED_LENGTH);
    }

    /** @param estimatedLength typical size of a message in bytes, 0 or more; larger messages cost some copying */
    public MarshallingEncoder(MarshallerProvider provider, int estimatedLength) {
        this.provider = Objects.requireNonNull(provider, "provider");
        if (estimatedLength < 0) {
            throw new IllegalArgumentException("estimatedLength < 0: " + estimatedLength);
        }
        this.estimatedLength = estimatedLength;
    }

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(
                Math.max(estimatedLength, LENGTH_FIELD_BYTES),
                channel.getConfig().getBufferFactory());
        buffer.writeInt(0); // placeholder for the length
        marshal(provider.getMarshaller(ctx), msg, buffer);
        buffer.setInt(0, buffer.writerIndex() - LENGTH_FIELD_BYTES);
        return buffer;
    }

    static void marshal(Marshaller marshaller, Object msg, ChannelBuffer buffer) throws Exception {
        marshaller.start(new ChannelBufferByteOutput(buffer));
        try {
            marshaller.writeObject(msg);
        } finally {
            marshaller.finish(); // also after a failure: it may be used again
        }
    }
}
