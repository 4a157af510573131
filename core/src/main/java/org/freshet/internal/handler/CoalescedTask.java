package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A task that any thread may request and that one thread at a time runs. A request made while the task runs makes the thread
 * that runs it run it once more. No thread waits, and a request from within the task does not recurse.
 *
 * <p>The task must look at all its state each time, since one run may answer several requests.
 */
public final class CoalescedTask {
    private final Runnable task;

    /** Requests that the current thread has not answered yet; 0 while no thread runs the task. */
    private final AtomicInteger requests = new AtomicInteger();

    public CoalescedTask(Runnable task) {
        this.task = task;
    }

    /**
     * Runs the task once more from its start, on the calling thread or on the thread that is running it.
     *
     * @throws RuntimeException what the task threw on this thread, after all its runs
     */
    public void request() {
        if (requests.getAndIncrement() != 0) {
            return;
        }
        Throwable failure = null;
        int answered;
        do {
            answered = requests.get();
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        } while (requests.addAndGet(-answered) != 0);
        rethrow(failure);
    }

    private static void rethrow(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}
