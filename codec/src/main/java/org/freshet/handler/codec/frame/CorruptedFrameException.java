package org.freshet.handler.codec.frame;

import org.freshet.internal.PeerCaused;

/**
 * The received bytes are not a valid frame, for instance because a length is negative. Each decoder documents what
 * happens to the bytes that follow.
 */
@SuppressWarnings("exports") // PeerCaused is only shared among Freshet's modules
public class CorruptedFrameException extends Exception implements PeerCaused {
    private static final long serialVersionUID = 1L;

    public CorruptedFrameException() {}

    public CorruptedFrameException(String message) {
        super(message);
    }

    public CorruptedFrameException(String message, Throwable cause) {
        super(message, cause);
    }

    public CorruptedFrameException(Throwable cause) {
        super(cause);
    }
}
