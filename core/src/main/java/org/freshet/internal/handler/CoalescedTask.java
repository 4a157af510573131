package org.freshet.internal.handler;

import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.internal.AnyException;

/**
 * A task that any thread may request and one thread at a time runs. If it is requested while it runs, the running thread runs it once more.
 * No thread waits, and a request from within the task does not recurse.
 *
 * <p>The task must look at all its state each time, because one run may answer several requests.
 */
public final class CoalescedTask {
    private final Runnable task;

    /** Requests that the running thread has not answered yet; 0 while no thread runs the task. */
    private final AtomicInteger requests = new AtomicInteger();

    public CoalescedTask(Runnable task) {
        this.task = task;
    }

    /**
     * Requests a new run of the task, on the calling thread or on the thread that is already running it.
     *
     * @throws RuntimeException thrown by the task on this thread, after all its runs; so is any other exception
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
            } catch (Throwable e) {
                failure = e;
            }
        } while (requests.addAndGet(-answered) != 0);
        if (failure != null) {
            throw AnyException.rethrow(failure);
        }
    }
}
