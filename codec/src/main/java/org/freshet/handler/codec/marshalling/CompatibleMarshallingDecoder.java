package org.freshet.handler.codec.marshalling;

import java.io.ObjectStreamConstants;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.handler.codec.frame.TooLongFrameException;
import org.freshet.handler.codec.replay.ReplayingDecoder;
import org.freshet.handler.codec.replay.VoidEnum;

/**
 * Decodes marshalled objects without a length field. The unmarshaller decides which classes to accept; the cost of
 * hashing the keys of sets and maps is not limited. See the package description.
 *
 * <p>The end of an object is not known in advance, so an object is unmarshalled from its start with each read until it
 * is complete. Prefer {@link MarshallingDecoder} if both ends support it.
 *
 * <p>Errors become {@code exceptionCaught} events: {@link TooLongFrameException}, after which the channel is closed;
 * {@link java.io.InvalidClassException} for a refused class; another {@link java.io.IOException} if the bytes are not
 * an object; {@link ClassNotFoundException}. After an error, the start of the next object is unknown, so all further
 * input is discarded.
 */
@ChannelHandler.Borrower
public class CompatibleMarshallingDecoder extends ReplayingDecoder<VoidEnum> {
    protected final UnmarshallerProvider provider;

    /** In bytes. */
    protected final int maxObjectSize;

    /** An object failed, and the start of the next one is unknown. */
    private boolean lost;

    /** @param maxObjectSize bytes, 1 or more */
    public CompatibleMarshallingDecoder(UnmarshallerProvider provider, int maxObjectSize) {
        this.provider = Objects.requireNonNull(provider, "provider");
        if (maxObjectSize <= 0) {
            throw new IllegalArgumentException("maxObjectSize <= 0: " + maxObjectSize);
        }
        this.maxObjectSize = maxObjectSize;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
            throws Exception {
        if (lost) {
            buffer.skipBytes(actualReadableBytes());
            return null;
        }
        if (buffer.getByte(buffer.readerIndex()) == ObjectStreamConstants.TC_RESET) {
            buffer.skipBytes(1); // the serial protocol may end an object with this byte; no object begins with it
            return null;
        }
        ReplayedByteInput input = new ReplayedByteInput(buffer, maxObjectSize);
        try {
            return Unmarshalling.read(provider.getUnmarshaller(ctx), input, maxObjectSize);
        } catch (Exception e) {
            lost = true;
            buffer.skipBytes(actualReadableBytes());
            if (input.isExceeded()) {
                throw new TooLongFrameException("object > " + maxObjectSize + " bytes");
            }
            throw e;
        }
    }

    @Override
    protected Object decodeLast(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer, VoidEnum state)
            throws Exception {
        return buffer.readable() ? decode(ctx, channel, buffer, state) : null;
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        lost = false;
    }

    @Override
    protected void onBytesForgotten() {
        super.onBytesForgotten();
        lost = false;
    }

    /** Passes the event on. Closes the channel if an object was too long. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) throws Exception {
        super.exceptionCaught(ctx, e);
        if (e.getCause() instanceof TooLongFrameException) {
            e.getChannel().close(CloseReason.of(CloseReason.Kind.PROTOCOL, null, e.getCause()));
        }
    }
}
