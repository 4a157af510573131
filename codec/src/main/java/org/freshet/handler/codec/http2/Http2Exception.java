package org.freshet.handler.codec.http2;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;
import org.freshet.internal.PeerCaused;

/**
 * A peer broke the rules of HTTP/2, or has ended the connection because we did. The connection is closed; what was pending on
 * its streams fails with this.
 */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
public class Http2Exception extends IOException implements PeerCaused {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Http2Error error;

    /** @param error what the peer is told, or has told */
    public Http2Exception(Http2Error error, String message) {
        super(message);
        this.error = Objects.requireNonNull(error, "error");
    }

    public Http2Error error() {
        return error;
    }
}
