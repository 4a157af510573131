package org.freshet.handler.codec.http2.hpack;

import java.io.Serial;

/**
 * A field block that breaks RFC 7541. Tables of both sides differ from there on, so the connection must end with the error
 * COMPRESSION_ERROR.
 */
public final class HpackException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    HpackException(String message) {
        super(message);
    }
}
