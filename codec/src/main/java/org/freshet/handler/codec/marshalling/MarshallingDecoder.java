package org.freshet.handler.codec.marshalling;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;

/**
 * Decodes the objects that {@link MarshallingEncoder} encodes. The unmarshaller decides which classes it accepts; what it costs to
 * hash the keys of sets and maps is not limited. See the package's description.
 *
 * <p>Errors become {@code exceptionCaught} events, and decoding goes on with the next object: {@link
 * org.freshet.handler.codec.frame.TooLongFrameException} for too many bytes, after they were skipped; {@link
 * java.io.InvalidClassException} for a refused class; another {@link java.io.IOException} for bytes that are no object; {@link
 * ClassNotFoundException}.
 */
@ChannelHandler.Borrower
public class MarshallingDecoder extends LengthFieldBasedFrameDecoder {
    private static final int DEFAULT_MAX_OBJECT_SIZE = 1 << 20;

    private final UnmarshallerProvider provider;

    /** Takes objects of up to 1 MiB. */
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

    /** A slice: the bytes are used up at once. */
    @Override
    protected ChannelBuffer extractFrame(ChannelBuffer buffer, int index, int length) {
        return buffer.slice(index, length);
    }
}
