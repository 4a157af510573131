package org.freshet.internal.time;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Daemon threads for short work that may block, such as user code that a deadline calls. Each running task has a thread of its own, so
 * none waits for another; an idle thread ends after a second. Any thread may call.
 *
 * <p>The pool has no maximum, because a limit would let one blocked handler keep a deadline from being kept. Its size is limited by what uses
 * it: a safety deadline runs once at a time, and of a connection's events only one runs at a time. So a drain whose handlers all block has
 * one thread here for each connection of the blocking transport, where the connection has one anyway; other transports run events on
 * their loops.
 */
public final class SpareThreads {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SpareThreads.class);
    private static final LastWords TASK_FAILED = LastWords.error(logger, "a background task failed");

    private static final ThreadPoolExecutor POOL =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(null, task, "freshet-spare", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                return thread;
            });

    private SpareThreads() {}

    /** Has this class be initialized, which takes memory, before it's needed. */
    static void prepare() {}

    /** Runs a task soon; if no thread can be started for it, in the caller. What it throws is logged. */
    public static void execute(Runnable task) {
        if (!offer(task)) {
            new Once(task).run();
        }
    }

    /** Runs a task soon, and logs what it throws. Returns false, and does nothing, if no thread can be started for it. */
    public static boolean offer(Runnable task) {
        Once once = new Once(task);
        try {
            POOL.execute(once);
            return true;
        } catch (RuntimeException | Error e) {
            return once.isTaken.getAndSet(true);
        }
    }

    /** An error out of {@code execute} does not say whether a thread has the task. */
    private static final class Once implements Runnable {
        private final Runnable task;
        private final AtomicBoolean isTaken = new AtomicBoolean();

        Once(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (isTaken.getAndSet(true)) {
                return;
            }
            try {
                task.run();
            } catch (Throwable e) {
                TASK_FAILED.say(task, e);
            }
        }
    }
}
