package org.freshet.internal.time;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
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

    private static final FailsafeLogMessage THREAD_DIED =
            FailsafeLogMessage.error(logger, "a background thread died; a task that it had not begun runs on another");

    private static final SpareThreads SHARED = new SpareThreads(SpareThreads::newThread);

    private final ThreadPoolExecutor pool;

    /** Tasks that no thread has begun. Without memory, a thread may die in the JDK's code before it does. */
    private final Set<Once> waiting = ConcurrentHashMap.newKeySet();

    /** Gives the waiting tasks to other threads. */
    private final Retryable again = new Retryable() {
        @Override
        void runAgain() {
            SafetyTimer.runAgain(this);
        }

        @Override
        boolean mayBlock() {
            return false;
        }

        @Override
        void work() {
            waiting.forEach(pool::execute); // a thread may begin one of them in the meantime; it runs once
        }
    };

    /** @param threads creates threads without starting them */
    SpareThreads(ThreadFactory threads) {
        UncaughtExceptionHandler onDied = (thread, cause) -> {
            again.runAgain(); // first: it takes no memory
            THREAD_DIED.log(thread.getName(), cause);
        };
        pool = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = threads.newThread(task);
            thread.setUncaughtExceptionHandler(onDied);
            return thread;
        });
    }

    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(null, task, "freshet-spare", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /** Initializes this class, which needs memory, before it is used. */
    static void prepare() {}

    /** Runs a task soon; if no thread can be started for it, on the calling thread. Its exceptions are logged. */
    public static void execute(Runnable task) {
        if (!offer(task)) {
            run(task);
        }
    }

    /** Runs a task soon and logs its exceptions. If no thread can be started for it, returns false and does nothing. */
    public static boolean offer(Runnable task) {
        return SHARED.tryExecute(task);
    }

    /** See {@link #offer}. */
    boolean tryExecute(Runnable task) {
        Once once = new Once(task);
        try {
            waiting.add(once);
            pool.execute(once);
            return true;
        } catch (Throwable e) {
            return !once.take();
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            TASK_FAILED.log(task, e);
        }
    }

    /** Runs its task at most once: an error thrown by {@code execute} does not say whether a thread has the task. */
    private final class Once implements Runnable {
        private final Runnable task;
        private final AtomicBoolean isTaken = new AtomicBoolean();

        Once(Runnable task) {
            this.task = task;
        }

        /** Returns whether the caller is the first. */
        boolean take() {
            boolean isFirst = !isTaken.getAndSet(true);
            if (isFirst) {
                waiting.remove(this);
            }
            return isFirst;
        }

        @Override
        public void run() {
            if (take()) {
                SpareThreads.run(task);
            }
        }
    }
}
