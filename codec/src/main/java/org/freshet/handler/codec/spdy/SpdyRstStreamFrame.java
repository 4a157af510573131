package org.freshet.handler.codec.spdy;

/** RST_STREAM: ends a stream in both directions. */
public interface SpdyRstStreamFrame extends SpdyStreamFrame {
    SpdyStreamStatus getStatus();

    void setStatus(SpdyStreamStatus status);
}
