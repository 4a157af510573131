package org.freshet.handler.timeout;

/** Reports that a write took too long; raised by a {@link WriteTimeoutHandler}, and the cause of the failed write. */
public class WriteTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    public WriteTimeoutException() {}

    public WriteTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }

    public WriteTimeoutException(String message) {
        super(message);
    }

    public WriteTimeoutException(Throwable cause) {
        super(cause);
    }
}
