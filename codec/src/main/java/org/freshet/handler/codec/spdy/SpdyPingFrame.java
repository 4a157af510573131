package org.freshet.handler.codec.spdy;

/** PING: {@link SpdySessionHandler} answers those of the peer with the same ID. */
public interface SpdyPingFrame extends SpdyFrame {
    /** Odd if the client began, even if the server did; unsigned. */
    int getId();

    void setId(int id);
}
