package org.freshet.handler.codec;

/** The channel was closed before an operation that needed it was done, such as a response that never came. */
public class PrematureChannelClosureException extends Exception {
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
