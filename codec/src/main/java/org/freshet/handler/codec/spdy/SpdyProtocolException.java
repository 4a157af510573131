package org.freshet.handler.codec.spdy;

/** The peer, or a caller, broke the rules of SPDY. */
public class SpdyProtocolException extends Exception {
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
