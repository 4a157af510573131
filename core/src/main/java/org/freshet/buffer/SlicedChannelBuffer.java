package org.freshet.buffer;

/** A part of another buffer, from an index on: shares its bytes, has indices of its own. */
public class SlicedChannelBuffer extends ViewChannelBuffer {
    private final int start;

    /**
     * Creates a view that is readable as a whole.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code buffer}
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
