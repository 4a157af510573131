package org.freshet.handler.codec.frame;

import org.freshet.internal.PeerCaused;

/** A frame exceeds the maximum length of the decoder. The decoder skips it and continues. */
@SuppressWarnings("exports") // PeerCaused is only shared among Freshet's modules
public class TooLongFrameException extends Exception implements PeerCaused {
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
