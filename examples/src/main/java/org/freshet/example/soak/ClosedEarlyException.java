package org.freshet.example.soak;

/** The server closed a connection that was still in use: a fault, unless the server was being drained. */
final class ClosedEarlyException extends Exception {
    private static final long serialVersionUID = 1;

    ClosedEarlyException(String what, Throwable cause) {
        super(what, cause);
    }
}
