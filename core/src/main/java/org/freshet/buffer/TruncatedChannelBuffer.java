package org.freshet.buffer;

/** A view of the first bytes of another buffer. It shares the bytes and has its own indices. */
public class TruncatedChannelBuffer extends ViewChannelBuffer {
    /**
     * Creates a view; all of it is readable.
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
