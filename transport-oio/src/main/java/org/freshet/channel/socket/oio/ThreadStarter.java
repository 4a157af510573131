package org.freshet.channel.socket.oio;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.internal.VirtualThreads;
import org.freshet.util.ThreadNameDeterminer;
import org.freshet.util.ThreadRenamingRunnable;

/** Starts the I/O threads of one factory's channels on an executor, one per channel. Any thread may call it. */
final class ThreadStarter {
    private static final AtomicInteger lastNumber = new AtomicInteger();

    private final Executor executor;

    /** Null means the default of {@link ThreadRenamingRunnable}. */
    private final ThreadNameDeterminer determiner;

    /** Whether the executor was created here, so no other code can shut it down. */
    private final boolean owned;

    private ThreadStarter(Executor executor, ThreadNameDeterminer determiner, boolean owned) {
        this.executor = executor;
        this.determiner = determiner;
        this.owned = owned;
    }

    /** Uses threads of the user's executor. {@code parameter} names it in an error. */
    static ThreadStarter of(Executor executor, String parameter, ThreadNameDeterminer determiner) {
        return new ThreadStarter(Objects.requireNonNull(executor, parameter), determiner, false);
    }

    /** Uses virtual threads where the JVM has them, otherwise platform threads. */
    static ThreadStarter cheapest() {
        return VirtualThreads.exist() ? new ThreadStarter(VirtualThreads.executor(), null, true) : platform();
    }

    /** Uses platform threads. They keep the JVM running while their channels are open. */
    static ThreadStarter platform() {
        return new ThreadStarter(Executors.newCachedThreadPool(), null, true);
    }

    /**
     * Runs {@code life} on its own thread.
     *
     * @param role becomes part of the thread's name, such as "connection"
     * @param life must first call {@link #refuseOn}
     * @throws RejectedExecutionException if the executor refuses
     */
    void start(String role, Runnable life) {
        String name = "freshet-oio-" + role + "-" + lastNumber.incrementAndGet();
        executor.execute(new ThreadRenamingRunnable(life, name, determiner));
    }

    /**
     * Makes {@link #start} fail if the executor runs the task on the calling thread.
     *
     * @param starter the thread that called {@link #start}
     */
    static void refuseOn(Thread starter) {
        if (Thread.currentThread() == starter) {
            throw new RejectedExecutionException(
                    "the executor runs tasks in the calling thread, but a channel needs its own thread");
        }
    }

    /** Shuts the executor down if it was created here. */
    void releaseOwned() {
        if (owned) {
            release();
        }
    }

    /** Shuts the executor down if it is an {@link ExecutorService}. */
    void release() {
        if (executor instanceof ExecutorService service) {
            service.shutdown();
        }
    }
}
