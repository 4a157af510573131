package org.freshet.microbench.compare;

/** A command line that cannot be run; the message is the one line that its user sees. */
final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** A refusal for {@code message}. */
    public UsageException(String message) {
        super(message);
    }
}
