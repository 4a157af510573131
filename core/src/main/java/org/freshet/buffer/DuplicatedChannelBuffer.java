package org.freshet.buffer;

/**
 * The whole of another buffer with indices of its own.
 *
 * <p>It grows when the other buffer grows, but cannot make it grow.
 */
public class DuplicatedChannelBuffer extends ViewChannelBuffer {
    /** Starts with the indices that {@code buffer} has now. */
    public DuplicatedChannelBuffer(ChannelBuffer buffer) {
        super(buffer, 0, OPEN);
        setIndex(buffer.readerIndex(), buffer.writerIndex());
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new DuplicatedChannelBuffer(unwrap());
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }
}
