package org.freshet.microbench.compare;

/** The command line is invalid; the message is the one line that the user sees. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for the user. */
    public UsageException(String message) {
        super(message);
    }
}
