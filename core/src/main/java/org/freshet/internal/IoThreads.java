package org.freshet.internal;

/** Marks the threads that drive many channels, none of which may wait for a single channel. Any thread may call any method. */
public final class IoThreads {
    /** Marks a thread that wakes others immediately. */
    private static final Object MARK = new Object();

    /** Null, {@link #MARK} or {@link WakeUps}. */
    private static final ThreadLocal<Object> CURRENT = new ThreadLocal<>();

    private IoThreads() {}

    /** Whether the calling thread is marked. */
    public static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    /** The threads that the calling thread will wake later; null if it wakes them immediately. */
    static WakeUps wakeUps() {
        return CURRENT.get() instanceof WakeUps later ? later : null;
    }

    /** Marks the calling thread. */
    public static void begin() {
        CURRENT.set(MARK);
    }

    /**
     * Marks the calling thread.
     *
     * @param wakeUps collects the threads to wake; the caller must run it before it waits
     */
    public static void begin(WakeUps wakeUps) {
        CURRENT.set(wakeUps);
    }

    public static void end() {
        CURRENT.remove();
    }
}
