package org.freshet.handler.queue;

import java.io.InterruptedIOException;

/** Thrown when nothing was received within the time given to a {@link BlockingReadHandler}. */
public class BlockingReadTimeoutException extends InterruptedIOException {
    private static final long serialVersionUID = 1L;

    public BlockingReadTimeoutException() {}

    public BlockingReadTimeoutException(String message, Throwable cause) {
        super(message);
        initCause(cause);
    }

    public BlockingReadTimeoutException(String message) {
        super(message);
    }

    public BlockingReadTimeoutException(Throwable cause) {
        this(cause == null ? null : cause.toString(), cause);
    }
}
