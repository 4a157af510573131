package org.freshet.buffer;

/**
 * A view of the whole of another buffer, with its own indices.
 *
 * <p>It grows when the other buffer grows, but cannot make it grow.
 */
public class DuplicatedChannelBuffer extends ViewChannelBuffer {
    /** Starts with the current indices of {@code buffer}. */
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
