package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.WriteOverflow;

/**
 * The settings that TCP and UDP channels of the NIO transport share: when a channel counts as writable, and how its writes are
 * sent. Any thread may read and write them; they hold from the next write on.
 *
 * <p>The low mark is never above the high mark: a setter that would make it so throws {@link IllegalArgumentException}. To change
 * both, use {@link #setOptions}, which takes them in either order.
 */
public interface NioChannelConfig extends ChannelConfig {
    int getWriteBufferHighWaterMark();

    /**
     * Sets above how many waiting bytes the channel stops being writable.
     *
     * @param writeBufferHighWaterMark bytes, see {@link ChannelOption#WRITE_BUFFER_HIGH_WATER_MARK}
     */
    void setWriteBufferHighWaterMark(int writeBufferHighWaterMark);

    int getWriteBufferLowWaterMark();

    /**
     * Sets at how many waiting bytes the channel is writable again.
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
     * Whether small writes are joined.
     *
     * @param writeCoalescing false to send each write by itself, see {@link ChannelOption#WRITE_COALESCING}
     */
    void setWriteCoalescing(boolean writeCoalescing);

    int getWriteBufferLimit();

    /**
     * Sets how many bytes may wait at most.
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
