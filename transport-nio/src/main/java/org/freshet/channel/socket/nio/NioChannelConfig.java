package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.WriteOverflow;

/**
 * The settings common to TCP and UDP channels of the NIO transport: when a channel counts as writable, and how its
 * writes are sent. Any thread may read and write them; changes apply from the next write.
 *
 * <p>The low mark is never above the high mark: a setter that would break this throws {@link IllegalArgumentException}.
 * To change both, use {@link #setOptions}, which accepts them in either order.
 */
public interface NioChannelConfig extends ChannelConfig {
    int getWriteBufferHighWaterMark();

    /**
     * Sets the number of waiting bytes above which the channel is not writable.
     *
     * @param writeBufferHighWaterMark bytes, see {@link ChannelOption#WRITE_BUFFER_HIGH_WATER_MARK}
     */
    void setWriteBufferHighWaterMark(int writeBufferHighWaterMark);

    int getWriteBufferLowWaterMark();

    /**
     * Sets the number of waiting bytes at which the channel becomes writable again.
     *
     * @param writeBufferLowWaterMark bytes, see {@link ChannelOption#WRITE_BUFFER_LOW_WATER_MARK}
     */
    void setWriteBufferLowWaterMark(int writeBufferLowWaterMark);

    int getWriteSpinCount();

    /**
     * Sets how many times in a row the channel may write before other channels are served.
     *
     * @param writeSpinCount times, see {@link ChannelOption#WRITE_SPIN_COUNT}
     */
    void setWriteSpinCount(int writeSpinCount);

    boolean isWriteCoalescing();

    /**
     * Sets whether small writes are combined.
     *
     * @param writeCoalescing false to send each write separately, see {@link ChannelOption#WRITE_COALESCING}
     */
    void setWriteCoalescing(boolean writeCoalescing);

    int getWriteBufferLimit();

    /**
     * Sets the maximum number of waiting bytes.
     *
     * @param writeBufferLimit bytes, see {@link ChannelOption#WRITE_BUFFER_LIMIT}
     */
    void setWriteBufferLimit(int writeBufferLimit);

    WriteOverflow getWriteOverflow();

    /**
     * Sets what happens to a write beyond the limit.
     *
     * @param writeOverflow see {@link ChannelOption#WRITE_OVERFLOW}
     */
    void setWriteOverflow(WriteOverflow writeOverflow);
}
