package org.freshet.handler.codec.spdy;

/** RST_STREAM: ends a stream in both directions at once. */
public interface SpdyRstStreamFrame extends SpdyStreamFrame {
    SpdyStreamStatus getStatus();

    void setStatus(SpdyStreamStatus status);
}
