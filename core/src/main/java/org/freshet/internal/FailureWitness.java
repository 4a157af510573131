package org.freshet.internal;

/**
 * A thread that is notified of failures that are otherwise only logged: those of listeners, and of tasks whose future
 * nothing observes. The threads of a simulation are such threads, because a test should fail then.
 */
public interface FailureWitness {
    /** Called on this thread. */
    void onLoggedFailure(Throwable cause);

    /** Notifies the current thread, if it is a witness. */
    static void notifyCurrent(Throwable cause) {
        if (Thread.currentThread() instanceof FailureWitness witness) {
            witness.onLoggedFailure(cause);
        }
    }
}
