package org.freshet.handler.codec.spdy;

/** WINDOW_UPDATE: allows this many more bytes of data. */
public interface SpdyWindowUpdateFrame extends SpdyFrame {
    /** The stream, or 0 for the whole session. */
    int getStreamId();

    /** @throws IllegalArgumentException if it is negative */
    void setStreamId(int streamId);

    int getDeltaWindowSize();

    /** @throws IllegalArgumentException if it is not positive */
    void setDeltaWindowSize(int deltaWindowSize);
}
