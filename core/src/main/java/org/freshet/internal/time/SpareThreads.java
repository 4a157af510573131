package org.freshet.internal.time;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Daemon threads for short work that may block, such as user code called by a deadline. Each running task has its own thread, so none waits
 * for another; an idle thread ends after a second. Any thread may call any method.
 *
 * <p>The pool has no maximum, because with a limit, one blocked handler could delay a deadline. Its size is limited by its uses: a safety
 * deadline runs once at a time, and only one event of a connection runs at a time. So a drain whose handlers all block uses one thread here
 * per connection of the blocking transport, where each connection has a thread anyway; other transports run events on their loops.
 */
public final class SpareThreads {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SpareThreads.class);
    private static final FailsafeLogMessage TASK_FAILED = FailsafeLogMessage.error(logger, "a background task failed");

    private static final ThreadPoolExecutor POOL =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(null, task, "freshet-spare", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                return thread;
            });

    private SpareThreads() {}

    /** Initializes this class, which needs memory, before it is used. */
    static void prepare() {}

    /** Runs a task soon; if no thread can be started for it, on the calling thread. Its exceptions are logged. */
    public static void execute(Runnable task) {
        if (!offer(task)) {
            new Once(task).run();
        }
    }

    /** Runs a task soon and logs its exceptions. If no thread can be started for it, returns false and does nothing. */
    public static boolean offer(Runnable task) {
        Once once = new Once(task);
        try {
            POOL.execute(once);
            return true;
        } catch (RuntimeException | Error e) {
            return once.isTaken.getAndSet(true);
        }
    }

    /** Runs its task at most once: an error thrown by {@code execute} does not say whether a thread has the task. */
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
                TASK_FAILED.log(task, e);
            }
        }
    }
}
