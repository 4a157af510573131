package org.freshet.internal;

/**
 * A thread that is notified of failures that are otherwise only logged: those of listeners, and of tasks whose future
 * nothing observes. The threads of a simulation are such threads, because a test should fail then.
 */
public interface FailureWitness {
    /** Called on this thread when a listener has thrown. */
    void onLoggedFailure(Throwable cause);

    /**
     * Called on this thread when a task has thrown and its future has no listener and no waiting thread yet.
     *
     * @param task the task, which is its own future
     */
    void onTaskFailed(Runnable task, Throwable cause);

    /** Called on this thread when it observes the future of a task that has thrown: it adds a listener or awaits it. */
    void onTaskObserved(Runnable task);

    /** Notifies the current thread, if it is a witness. */
    static void notifyCurrent(Throwable cause) {
        if (Thread.currentThread() instanceof FailureWitness witness) {
            witness.onLoggedFailure(cause);
        }
    }

    /** Notifies the current thread, if it is a witness. */
    static void notifyTaskFailed(Runnable task, Throwable cause) {
        if (Thread.currentThread() instanceof FailureWitness witness) {
            witness.onTaskFailed(task, cause);
        }
    }

    /** Notifies the current thread, if it is a witness. */
    static void notifyTaskObserved(Runnable task) {
        if (Thread.currentThread() instanceof FailureWitness witness) {
            witness.onTaskObserved(task);
        }
    }
}
