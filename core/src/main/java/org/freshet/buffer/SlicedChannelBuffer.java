package org.freshet.buffer;

/** A view of part of another buffer, from an index on. It shares the bytes and has its own indices. */
public class SlicedChannelBuffer extends ViewChannelBuffer {
    private final int start;

    /**
     * Creates a view; all of it is readable.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code buffer}
     */
    public SlicedChannelBuffer(ChannelBuffer buffer, int index, int length) {
        super(buffer, index, length);
        Bounds.check(index, length, buffer.capacity());
        start = index;
        writerIndex(length);
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new SlicedChannelBuffer(unwrap(), start, capacity());
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }
}
