package org.freshet.handler.codec.http.websocketx;

/** The kinds of frames. */
public enum WebSocketFrameType {
    TEXT,
    BINARY,
    PING,
    PONG,
    CLOSE,
    CONTINUATION
}
