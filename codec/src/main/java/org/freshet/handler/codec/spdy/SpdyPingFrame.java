package org.freshet.handler.codec.spdy;

/** PING: {@link SpdySessionHandler} answers the peer's with the same ID. */
public interface SpdyPingFrame extends SpdyFrame {
    /** Odd if the client started it, even if the server did; unsigned. */
    int getId();

    void setId(int id);
}
