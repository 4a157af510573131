package org.freshet.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A piece of work that any thread may ask for and that one thread at a time does: who asks while it is being done leaves
 * it to the thread at work, which goes round once more. Nobody waits, and asking from within the work is no recursion.
 *
 * <p>The work must look at everything anew each time: several requests may be answered by one round.
 */
public final class SerialWork {
    private final Runnable work;

    /** Requests since the work was last at rest; 0 while nobody is at work. */
    private final AtomicInteger requests = new AtomicInteger();

    public SerialWork(Runnable work) {
        this.work = work;
    }

    /**
     * Has the work done once more from the start: here and now, or by the thread that is just doing it.
     *
     * @throws RuntimeException what the work threw on this thread, after all rounds
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
                work.run();
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
