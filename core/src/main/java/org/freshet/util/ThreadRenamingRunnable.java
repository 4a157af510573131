package org.freshet.util;

import java.util.Objects;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Runs a task under another thread name. The previous name is restored when the task returns or throws. */
public class ThreadRenamingRunnable implements Runnable {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ThreadRenamingRunnable.class);

    private static volatile ThreadNameDeterminer defaultDeterminer = ThreadNameDeterminer.PROPOSED;

    private final Runnable task;
    private final String proposedName;

    /** Null means the default determiner decides. */
    private final ThreadNameDeterminer determiner;

    /**
     * Returns the determiner used where a constructor was given none. Default: {@link ThreadNameDeterminer#PROPOSED}.
     */
    public static ThreadNameDeterminer getThreadNameDeterminer() {
        return defaultDeterminer;
    }

    /** Sets the default determiner. It applies to tasks that start from now on. */
    public static void setThreadNameDeterminer(ThreadNameDeterminer threadNameDeterminer) {
        defaultDeterminer = Objects.requireNonNull(threadNameDeterminer, "threadNameDeterminer");
    }

    /**
     * Wraps a task.
     *
     * @param determiner null uses {@link #getThreadNameDeterminer()}
     */
    public ThreadRenamingRunnable(Runnable runnable, String proposedThreadName, ThreadNameDeterminer determiner) {
        this.task = Objects.requireNonNull(runnable, "runnable");
        this.proposedName = Objects.requireNonNull(proposedThreadName, "proposedThreadName");
        this.determiner = determiner;
    }

    /** Wraps a task; {@link #getThreadNameDeterminer()} chooses the name. */
    public ThreadRenamingRunnable(Runnable runnable, String proposedThreadName) {
        this(runnable, proposedThreadName, null);
    }

    @Override
    public void run() {
        Thread thread = Thread.currentThread();
        String before = thread.getName();
        boolean renamed = rename(thread, choose(before));
        try {
            task.run();
        } finally {
            if (renamed) {
                thread.setName(before);
            }
        }
    }

    private String choose(String current) {
        ThreadNameDeterminer chooser = determiner != null ? determiner : defaultDeterminer;
        try {
            String chosen = chooser.determineThreadName(current, proposedName);
            return chosen != null ? chosen : current;
        } catch (Exception e) {
            logger.warn("Thread \"" + current + "\" keeps its name: " + chooser + " failed", e);
            return current;
        }
    }

    private static boolean rename(Thread thread, String name) {
        if (name.equals(thread.getName())) {
            return false;
        }
        try {
            thread.setName(name);
            return true;
        } catch (SecurityException e) {
            logger.debug("Thread \"" + thread.getName() + "\" cannot be renamed", e);
            return false;
        }
    }
}
