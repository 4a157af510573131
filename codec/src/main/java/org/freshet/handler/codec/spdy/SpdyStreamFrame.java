package org.freshet.handler.codec.spdy;

/** A frame that belongs to a stream. It may be the sender's last one on that stream. */
public interface SpdyStreamFrame extends SpdyFrame {
    int getStreamId();

    /** @throws IllegalArgumentException if it is not positive */
    void setStreamId(int streamId);

    /** Whether this frame half-closes the sender's side of the stream. */
    boolean isLast();

    void setLast(boolean last);
}
