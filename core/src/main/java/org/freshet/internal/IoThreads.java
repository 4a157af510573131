package org.freshet.internal;

/** Marks the threads that drive many channels, none of which may wait for a single channel. Any thread may call any method. */
public final class IoThreads {
    private static final ThreadLocal<Boolean> IS_CURRENT = new ThreadLocal<>();

    private IoThreads() {}

    /** Whether the calling thread is marked. */
    public static boolean isCurrent() {
        return IS_CURRENT.get() != null;
    }

    /** Marks the calling thread. */
    public static void begin() {
        IS_CURRENT.set(Boolean.TRUE);
    }

    public static void end() {
        IS_CURRENT.remove();
    }
}
