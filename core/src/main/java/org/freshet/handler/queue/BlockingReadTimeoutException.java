package org.freshet.handler.queue;

import java.io.InterruptedIOException;

/** Nothing was received in the time that a {@link BlockingReadHandler} was told to wait. */
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
