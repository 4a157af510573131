package org.freshet.handler.codec.replay;

/**
 * A decoder called a method of its replayable buffer that cannot be repeated: one that writes, or one that copies all
 * readable bytes while the end is unknown.
 */
public class UnreplayableOperationException extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;

    public UnreplayableOperationException() {}

    public UnreplayableOperationException(String message) {
        super(message);
    }

    public UnreplayableOperationException(String message, Throwable cause) {
        super(message, cause);
    }

    public UnreplayableOperationException(Throwable cause) {
        super(cause);
    }
}
