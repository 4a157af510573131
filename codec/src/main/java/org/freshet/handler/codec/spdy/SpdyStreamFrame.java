package org.freshet.handler.codec.spdy;

/** A frame that belongs to a stream and may be the last one that its sender sends on it. */
public interface SpdyStreamFrame extends SpdyFrame {
    int getStreamId();

    /** @throws IllegalArgumentException if it is not positive */
    void setStreamId(int streamId);

    /** Whether the sender half-closes the stream with this frame. */
    boolean isLast();

    void setLast(boolean last);
}
