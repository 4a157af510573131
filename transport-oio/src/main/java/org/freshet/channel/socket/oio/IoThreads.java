package org.freshet.channel.socket.oio;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/** Gives each channel its thread, by an executor. Any thread. */
final class IoThreads {
    private static final AtomicInteger lastNumber = new AtomicInteger();

    private final Executor executor;

    /** Null for the one that {@link ThreadRenamingRunnable} has. */
    private final ThreadNameDeterminer determiner;

    /** Whether nobody else can end the executor. */
    private final boolean owned;

    private IoThreads(Executor executor, ThreadNameDeterminer determiner, boolean owned) {
        this.executor = executor;
        this.determiner = determiner;
        this.owned = owned;
    }

    /** Threads of the user's executor. */
    static IoThreads of(Executor executor, String parameter, ThreadNameDeterminer determiner) {
        return new IoThreads(Objects.requireNonNull(executor, parameter), determiner, false);
    }

    /** Virtual threads where the JVM has them, else platform threads. */
    static IoThreads cheapest() {
        return VirtualThreads.exist() ? new IoThreads(VirtualThreads.executor(), null, true) : platform();
    }

    /** Platform threads, which keep the JVM alive as long as their channels are open. */
    static IoThreads platform() {
        return new IoThreads(Executors.newCachedThreadPool(), null, true);
    }

    /**
     * Runs {@code life} on a thread of its own.
     *
     * @param role what the thread's name says, such as "connection"
     * @param life calls {@link #refuseOn} first
     * @throws RejectedExecutionException if the executor has no thread to give
     */
    void start(String role, Runnable life) {
        String name = "freshet-oio-" + role + "-" + lastNumber.incrementAndGet();
        executor.execute(new ThreadRenamingRunnable(life, name, determiner));
    }

    /**
     * Makes {@link #start} fail if the executor ran the task in the thread that called it.
     *
     * @param starter the thread that called
     */
    static void refuseOn(Thread starter) {
        if (Thread.currentThread() == starter) {
            throw new RejectedExecutionException(
                    "the executor runs tasks in the calling thread, but a channel needs one of its own");
        }
    }

    /** Ends the executor if nobody else could. */
    void releaseOwned() {
        if (owned) {
            release();
        }
    }

    /** Ends the executor, where it can be ended. */
    void release() {
        if (executor instanceof ExecutorService service) {
            service.shutdown();
        }
    }
}
