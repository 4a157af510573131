package org.freshet.handler.timeout;

import org.freshet.internal.PeerCaused;

/** Reports that nothing was received for too long; raised by a {@link ReadTimeoutHandler}. */
@SuppressWarnings("exports") // PeerCaused is exported to Freshet's modules only
public class ReadTimeoutException extends TimeoutException implements PeerCaused {
    private static final long serialVersionUID = 1L;

    public ReadTimeoutException() {}

    public ReadTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }

    public ReadTimeoutException(String message) {
        super(message);
    }

    public ReadTimeoutException(Throwable cause) {
        super(cause);
    }
}
