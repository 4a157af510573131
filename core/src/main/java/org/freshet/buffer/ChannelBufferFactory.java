package org.freshet.buffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Makes buffers of one kind of memory; a channel's factory decides what its received bytes are kept in.
 *
 * <p>Any thread may use a factory. Arguments are not changed; whether its bytes are shared or copied is the
 * factory's choice. A request for no bytes may be answered with {@link ChannelBuffers#EMPTY_BUFFER}.
 */
public interface ChannelBufferFactory {
    /**
     * A buffer of the default order with nothing in it yet.
     *
     * @param capacity in bytes
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    ChannelBuffer getBuffer(int capacity);

    /**
     * A buffer with nothing in it yet.
     *
     * @param capacity in bytes
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    ChannelBuffer getBuffer(ByteOrder order, int capacity);

    /**
     * A buffer of the default order with part of an array, readable at once.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code array}
     */
    ChannelBuffer getBuffer(byte[] array, int offset, int length);

    /**
     * A buffer with part of an array, readable at once.
     *
     * @throws IndexOutOfBoundsException if the part does not lie within {@code array}
     */
    ChannelBuffer getBuffer(ByteOrder order, byte[] array, int offset, int length);

    /** A buffer with what remains in {@code buffer}, in its order, readable at once. */
    ChannelBuffer getBuffer(ByteBuffer buffer);

    /** The order of buffers for which none is named. */
    ByteOrder getDefaultOrder();
}
