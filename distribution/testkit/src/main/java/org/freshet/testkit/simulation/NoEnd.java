package org.freshet.testkit.simulation;

/** The failure of a run that had to be abandoned. A shorter one would have to be abandoned too, after as long. */
public final class NoEnd extends AssertionError {
    private static final long serialVersionUID = 1;

    NoEnd(String message) {
        super(message);
    }
}
