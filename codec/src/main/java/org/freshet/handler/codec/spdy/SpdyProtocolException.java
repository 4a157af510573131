package org.freshet.handler.codec.spdy;

import org.freshet.internal.PeerCaused;

/** The peer, or a caller, broke the rules of SPDY. */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
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
