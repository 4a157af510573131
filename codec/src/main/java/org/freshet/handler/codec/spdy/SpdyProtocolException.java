package org.freshet.handler.codec.spdy;

import org.freshet.internal.PeerCaused;

/** Reports that the peer, or a caller, broke the SPDY protocol. */
@SuppressWarnings("exports") // PeerCaused is internal to Freshet's modules
public class SpdyProtocolException extends Exception implements PeerCaused {
    private static final long serialVersionUID = 1L;

    public SpdyProtocolException() {}

    public SpdyProtocolException(String message) {
        super(message);
    }

    public SpdyProtocolException(String message, Throwable cause) {
        super(message, cause);
    }

    public SpdyProtocolException(Throwable cause) {
        super(cause);
    }
}
