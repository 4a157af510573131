package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;

/**
 * Decodes objects encoded by {@link MarshallingEncoder}. The unmarshaller decides which classes to accept; the cost of
 * hashing the keys of sets and maps is not limited. See the package description.
 *
 * <p>Errors become {@code exceptionCaught} events, and decoding continues with the next object:
 * {@link org.freshet.handler.codec.frame.TooLongFrameException} for an object that is too long, after it was skipped;
 * {@link java.io.InvalidClassException} for a refused class; another {@link java.io.IOException} if the bytes are not
 * an object; {@link ClassNotFoundException}.
 */
@ChannelHandler.Borrower
public class MarshallingDecoder extends LengthFieldBasedFrameDecoder {
    private static final int DEFAULT_MAX_OBJECT_SIZE = 1 << 20;

    private final UnmarshallerProvider provider;

    /** Accepts objects of up to 1 MiB. */
    public MarshallingDecoder(UnmarshallerProvider provider) {
        this(provider, DEFAULT_MAX_OBJECT_SIZE);
    }

    /** @param maxObjectSize bytes of an object with its length field, 4 or more */
    public MarshallingDecoder(UnmarshallerProvider provider, int maxObjectSize) {
        super(maxObjectSize, 0, MarshallingEncoder.LENGTH_FIELD_BYTES, 0, MarshallingEncoder.LENGTH_FIELD_BYTES);
        this.provider = Objects.requireNonNull(provider, "provider");
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        ChannelBuffer frame = (ChannelBuffer) super.decode(ctx, channel, buffer);
        if (frame == null) {
            return null;
        }
        return Unmarshalling.read(
                provider.getUnmarshaller(ctx), new ChannelBufferByteInput(frame), frame.readableBytes());
    }

    /** Returns a slice: the object is read right away. */
    @Override
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return buffer.slice(index, length);
    }
}
