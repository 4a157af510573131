package org.freshet.example.soak;

/** A fault: something else came than was expected, or nothing came in time. */
final class WrongException extends Exception {
    private static final long serialVersionUID = 1;

    WrongException(String what) {
        super(what);
    }
}
