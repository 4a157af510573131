package org.freshet.handler.codec.frame;

import org.freshet.internal.PeerCaused;

/** A frame that may be well-formed but is longer than the decoder was told to accept. The decoder skips it and continues. */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
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
