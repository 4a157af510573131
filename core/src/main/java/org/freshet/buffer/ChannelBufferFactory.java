package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes buffers of one kind of memory. A channel's factory decides where received bytes are stored.
 *
 * <p>Any thread may use a factory. Arguments are not changed. Whether the new buffer shares or copies their bytes is up
 * to the factory. A request for 0 bytes may return {@link ChannelBuffers#EMPTY_BUFFER}.
 */
public interface ChannelBufferFactory {
    /**
     * Creates an empty buffer of the default order.
     *
     * @param capacity in bytes
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    ChannelBuffer getBuffer(int capacity);

    /**
     * Creates an empty buffer.
     *
     * @param capacity in bytes
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    ChannelBuffer getBuffer(ByteOrder order, int capacity);

    /**
     * Creates a buffer of the default order with part of an array, all of it readable.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code array}
     */
    ChannelBuffer getBuffer(byte[] array, int offset, int length);

    /**
     * Creates a buffer with part of an array, all of it readable.
     *
     * @throws IndexOutOfBoundsException if the part is not within {@code array}
     */
    ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length);

    /** Creates a buffer with the remaining bytes of {@code buffer}, in its order, all readable. */
    ChannelBuffer getBuffer(ByteBuffer buffer);

    /** The order used when none is passed. */
    ByteOrder getDefaultOrder();
}
