package org.freshet.handler.codec.http2;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;
import org.freshet.internal.PeerCaused;

/**
 * The peer broke the HTTP/2 protocol, or ended the connection because we did. The connection is closed, and everything pending
 * on its streams fails with this exception.
 */
@SuppressWarnings("exports") // PeerCaused is internal to Freshet's modules
public class Http2Exception extends IOException implements PeerCaused {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    /** @param error the code sent to the peer, or received from it */
    public Http2Exception(Http2Error error, String message) {
        super(message);
        this.error = Objects.requireNonNull(error, "error");
    }

    public Http2Error error() {
        return error;
    }
}
