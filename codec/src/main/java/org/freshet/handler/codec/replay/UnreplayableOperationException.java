package org.freshet.handler.codec.replay;

/** A decoder called a method of its replayable buffer that cannot be repeated, such as one that writes or that copies
 * everything readable while the end is not known. */
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
