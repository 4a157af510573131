package org.freshet.internal;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory that is kept for the time when the heap is full: closing connections frees what they hold, but first takes a little itself. The
 * reserve is let go when an allocation fails, and taken again once there is room.
 *
 * <p>Any thread may call. Nothing throws.
 */
public final class HeapReserve {
    /**
     * 2 MiB, or less in a small heap; just below, because collectors that allocate in regions then have whole ones for it, which are free as
     * soon as the reserve is let go.
     */
    private static final int BYTES =
            (int) Math.min(2 * 1024 * 1024, Runtime.getRuntime().maxMemory() / 32) - 64;

    /** Null while the heap is full. */
    private static volatile byte[] reserve = tryAllocate();

    /** A field, so that no compiler leaves the allocation out. */
    private static volatile byte[] probe;

    /** One thread probes at a time: probes of several threads could make each other fail. */
    private static final AtomicBoolean IS_PROBING = new AtomicBoolean();

    private static volatile Runnable whenFull = () -> {};

    static {
        hasRoomBesides(); // the JVM needs memory for the first call of some methods, and later there may be none
    }

    private HeapReserve() {}

    /**
     * Sets what makes room. There is one such action in a process.
     *
     * @param action is called by a thread whose allocation has failed because the heap is full, each time; takes as little memory as it can, and
     *     is called again after the next failure if it runs out of that
     */
    public static void whenFull(Runnable action) {
        whenFull = action;
    }

    /** Called where a failure ends up. Does nothing unless memory ran out, and the heap is full: one large array may be all that doesn't fit. */
    public static void onFailure(Throwable t) {
        try {
            if (t instanceof OutOfMemoryError && isFull()) {
                reserve = null;
                whenFull.run();
            }
        } catch (OutOfMemoryError nextFailureTriesAgain) { // the JVM itself needs memory for some first calls
            return;
        }
    }

    private static boolean isFull() {
        return reserve == null || !hasRoomBesides();
    }

    /** Whether there is room for as much again as the reserve. True while another thread looks: it does what is to be done. */
    private static boolean hasRoomBesides() {
        if (!IS_PROBING.compareAndSet(false, true)) {
            return true;
        }
        byte[] room = tryAllocate();
        probe = room;
        probe = null;
        IS_PROBING.set(false);
        return room != null;
    }

    /**
     * Takes the reserve again if the heap has room for twice as much, so that it is not full; otherwise leaves the reserve to those who make
     * room. Returns whether it is there.
     */
    public static boolean retakeUnlessFull() {
        if (retake() && !hasRoomBesides()) {
            reserve = null;
        }
        return reserve != null;
    }

    /** Whether there was no room for the reserve when it was last looked for. */
    public static boolean isMissing() {
        return reserve == null;
    }

    /** Takes the reserve again if there is room; returns whether it is there. */
    public static boolean retake() {
        if (reserve == null) {
            reserve = tryAllocate();
        }
        return reserve != null;
    }

    private static byte[] tryAllocate() {
        try {
            return new byte[BYTES];
        } catch (OutOfMemoryError full) {
            return null;
        }
    }
}
