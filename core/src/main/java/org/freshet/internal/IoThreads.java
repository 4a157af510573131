package org.freshet.internal;

/** Which threads drive many channels at once, so that none of them may wait for one. Any thread may ask. */
public final class IoThreads {
    private static final ThreadLocal<Boolean> IS_CURRENT = new ThreadLocal<>();

    private IoThreads() {}

    /** Whether the caller is such a thread. */
    public static boolean isCurrent() {
        return IS_CURRENT.get() != null;
    }

    /** The caller becomes such a thread. */
    public static void begin() {
        IS_CURRENT.set(Boolean.TRUE);
    }

    public static void end() {
        IS_CURRENT.remove();
    }
}
