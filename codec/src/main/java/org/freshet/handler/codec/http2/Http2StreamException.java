package org.freshet.handler.codec.http2;

import java.io.Serial;

/** One stream ended early; the connection and its other streams go on. */
public class Http2StreamException extends Http2Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int streamId;

    /** @param streamId 0 if the stream was refused before it had a number */
    public Http2StreamException(int streamId, Http2Error error, String message) {
        super(error, message);
        this.streamId = streamId;
    }

    public int streamId() {
        return streamId;
    }
}
