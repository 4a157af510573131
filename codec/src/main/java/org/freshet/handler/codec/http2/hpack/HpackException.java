package org.freshet.handler.codec.http2.hpack;

import java.io.Serial;
import org.freshet.internal.PeerCaused;

/**
 * Reports a field block that breaks RFC 7541. The tables of the two sides differ from then on, so the connection must end with
 * the error COMPRESSION_ERROR.
 */
@SuppressWarnings("exports") // PeerCaused is internal to Freshet's modules
public final class HpackException extends Exception implements PeerCaused {
    @Serial
    private static final long serialVersionUID = 1L;

    HpackException(String message) {
        super(message);
    }
}
