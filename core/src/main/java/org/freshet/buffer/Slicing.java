package org.freshet.buffer;

/** Picks the cheapest view for a part of a buffer. */
final class Slicing {
    private Slicing() {}

    /** A view of part of {@code buffer} with the part as its whole capacity, all readable. */
    static ChannelBuffer slice(ChannelBuffer buffer, int index, int length) {
        Bounds.check(index, length, buffer.capacity());
        if (length == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        return index == 0 ? new TruncatedChannelBuffer(buffer, length) : new SlicedChannelBuffer(buffer, index, length);
    }
}
