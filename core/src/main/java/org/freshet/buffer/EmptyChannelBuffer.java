package org.freshet.buffer;

/**
 * The buffer of capacity 0, shared through {@link ChannelBuffers#EMPTY_BUFFER}.
 *
 * <p>Its indices are always 0 and it has no bytes to change, so any thread may use it. Every view or copy of it is the
 * same instance.
 */
public class EmptyChannelBuffer extends BigEndianHeapChannelBuffer {
    EmptyChannelBuffer() {
        super(0);
    }

    @Override
    public ChannelBuffer duplicate() {
        return this;
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        Bounds.check(index, length, 0);
        return this;
    }
}
