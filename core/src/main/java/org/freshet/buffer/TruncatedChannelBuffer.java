package org.freshet.buffer;

/** The first bytes of another buffer: shares them, has indices of its own. */
public class TruncatedChannelBuffer extends ViewChannelBuffer {
    /**
     * Creates a view that is readable as a whole.
     *
     * @throws IndexOutOfBoundsException if {@code buffer} has fewer than {@code length} bytes
     */
    public TruncatedChannelBuffer(ChannelBuffer buffer, int length) {
        super(buffer, 0, length);
        Bounds.check(0, length, buffer.capacity());
        writerIndex(length);
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new TruncatedChannelBuffer(unwrap(), capacity());
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }
}
