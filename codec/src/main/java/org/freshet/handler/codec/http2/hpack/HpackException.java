package org.freshet.handler.codec.http2.hpack;

import java.io.Serial;
import org.freshet.internal.PeerCaused;

/**
 * A field block that breaks RFC 7541. Tables of both sides differ from there on, so the connection must end with the error
 * COMPRESSION_ERROR.
 */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
public final class HpackException extends Exception implements PeerCaused {
    @Serial
    private static final long serialVersionUID = 1L;

    HpackException(String message) {
        super(message);
    }
}
