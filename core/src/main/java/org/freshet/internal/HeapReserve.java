package org.freshet.internal;

/**
 * A little memory, kept for the time when the heap is full: to close connections, which frees what they hold, takes some itself. It is let
 * go when an allocation fails, and taken again once there is room.
 *
 * <p>Any thread may call. Nothing throws.
 */
public final class HeapReserve {
    /** Just below a MiB: collectors that allocate in regions have a region for it, which is free as soon as the reserve is let go. */
    private static final int BYTES = 1024 * 1024 - 64;

    /** Null while the heap is full. */
    private static volatile byte[] reserve = tryAllocate();

    /** A field, so that no compiler leaves the allocation out. */
    @SuppressWarnings("unused")
    private static volatile byte[] probe;

    private static volatile Runnable onFull = () -> {};

    private HeapReserve() {}

    /**
     * @param action is called whenever an allocation fails while the heap is full, by the thread that noticed; must take no memory and throw
     *     nothing
     */
    public static void whenFull(Runnable action) {
        onFull = action;
    }

    /** Something has failed. Does nothing unless it is for lack of memory: one large request that fails leaves room for others. */
    public static void onFailure(Throwable t) {
        if (!(t instanceof OutOfMemoryError)) {
            return;
        }
        if (reserve != null) {
            probe = tryAllocate();
            if (probe != null) {
                probe = null;
                return;
            }
            reserve = null;
        }
        onFull.run();
    }

    /** Whether the heap is full, as far as is known. */
    public static boolean isReleased() {
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
