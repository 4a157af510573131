package org.freshet.buffer;

/** Chooses the cheapest view of a part of a buffer. */
final class Slicing {
    private Slicing() {}

    /** Returns a view of part of {@code buffer}. All of it is readable, and its capacity is {@code length}. */
    static ChannelBuffer slice(ChannelBuffer buffer, int index, int length) {
        Bounds.check(index, length, buffer.capacity());
        if (length == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        return index == 0 ? new TruncatedChannelBuffer(buffer, length) : new SlicedChannelBuffer(buffer, index, length);
    }
}
