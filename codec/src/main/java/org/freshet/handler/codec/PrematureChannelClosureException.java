package org.freshet.handler.codec;

import org.freshet.internal.PeerCaused;

/** The channel was closed before an operation that needed it was done, such as a response that never came. */
@SuppressWarnings("exports") // PeerCaused is between Freshet's modules
public class PrematureChannelClosureException extends Exception implements PeerCaused {
    private static final long serialVersionUID = 1L;

    public PrematureChannelClosureException() {}

    public PrematureChannelClosureException(String message) {
        super(message);
    }

    public PrematureChannelClosureException(String message, Throwable cause) {
        super(message, cause);
    }

    public PrematureChannelClosureException(Throwable cause) {
        super(cause);
    }
}
