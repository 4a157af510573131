package org.freshet.handler.timeout;

/** Nothing was received for too long; raised by a {@link ReadTimeoutHandler}. */
public class ReadTimeoutException extends TimeoutException {
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
