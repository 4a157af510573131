package org.freshet.handler.codec.frame;

/** A frame that may be well-formed but is longer than the decoder was told to accept. The decoder skips it and continues. */
public class TooLongFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    public TooLongFrameException() {}

    public TooLongFrameException(String message) {
        super(message);
    }

    public TooLongFrameException(String message, Throwable cause) {
        super(message, cause);
    }

    public TooLongFrameException(Throwable cause) {
        super(cause);
    }
}
