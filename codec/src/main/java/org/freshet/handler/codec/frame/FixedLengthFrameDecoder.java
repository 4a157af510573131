package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/** Cuts a stream into frames of one length. At the end, bytes that do not fill a frame are discarded. */
@ChannelHandler.Borrower
public class FixedLengthFrameDecoder extends FrameDecoder {
    private final int frameLength;
    private final boolean allocateFullBuffer;

    /** @param frameLength bytes, 1 or more */
    public FixedLengthFrameDecoder(int frameLength) {
        this(frameLength, false);
    }

    /**
     * @param frameLength bytes, 1 or more
     * @param allocateFullBuffer whether to allocate a whole frame on its first bytes instead of growing; for large
     *     frames from trusted peers
     */
    public FixedLengthFrameDecoder(int frameLength, boolean allocateFullBuffer) {
        if (frameLength <= 0) {
            throw new IllegalArgumentException("frameLength <= 0: " + frameLength);
        }
        this.frameLength = frameLength;
        this.allocateFullBuffer = allocateFullBuffer;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        if (buffer.readableBytes() < frameLength) {
            if (!allocateFullBuffer) {
                expectFrame(frameLength, 0);
            }
            return null;
        }
        ChannelBuffer frame = extractFrame(buffer, buffer.readerIndex(), frameLength);
        buffer.skipBytes(frameLength);
        return frame;
    }

    @Override
    protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
        return super.newCumulationBuffer(
                ctx, allocateFullBuffer ? Math.max(minimumCapacity, frameLength) : minimumCapacity);
    }
}
