package org.freshet.handler.codec.spdy;

/** GOAWAY: its sender accepts no more streams. */
public interface SpdyGoAwayFrame extends SpdyFrame {
    /** The last of the receiver's streams that was accepted; 0 if none was. */
    int getLastGoodStreamId();

    /** @throws IllegalArgumentException if it is negative */
    void setLastGoodStreamId(int lastGoodStreamId);

    SpdySessionStatus getStatus();

    void setStatus(SpdySessionStatus status);
}
