package org.freshet.handler.codec.spdy;

import org.freshet.buffer.ChannelBuffer;

/** DATA: a part of a stream's content. */
public interface SpdyDataFrame extends SpdyStreamFrame {
    /** Never null. */
    ChannelBuffer getData();

    /**
     * @param data null for none
     * @throws IllegalArgumentException if it is longer than 16,777,215 bytes
     */
    void setData(ChannelBuffer data);
}
