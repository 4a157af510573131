package org.freshet.example.soak;

/** A fault: the server sent something unexpected, or nothing in time. */
final class WrongException extends Exception {
    private static final long serialVersionUID = 1;

    WrongException(String what) {
        super(what);
    }
}
