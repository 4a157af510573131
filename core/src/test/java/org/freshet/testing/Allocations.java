package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What an action allocates, in bytes, counted by the JVM for the calling thread. Limits are those of a 64-bit JVM with compressed
 * references.
 */
public final class Allocations {
    private static final int REPETITIONS = 10_000;

    /** Bytes a repetition that the counting itself and a JIT compiler's whims may add. */
    private static final int SLACK = 6;

    /** A field, so that no compiler leaves out what the results were allocated for. */
    @SuppressWarnings("unused")
    private static Object sink;

    private Allocations() {}

    /** Fails if the action allocates more, on average. */
    public static void assertBytes(int limit, Supplier<?> action) {
        Object[] results = new Object[REPETITIONS];
        long bytes = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 3; attempt++) {
            long before = allocatedBytes();
            for (int i = 0; i < REPETITIONS; i++) {
                results[i] = action.get();
            }
            bytes = Math.min(bytes, allocatedBytes() - before);
        }
        sink = results;
        long each = bytes / REPETITIONS;
        assertTrue(each <= limit + SLACK, each + " bytes instead of " + limit);
    }

    /** What one run of the action allocates, and a few kilobytes for the counting. */
    public static long bytesOf(Runnable action) {
        long before = allocatedBytes();
        action.run();
        return allocatedBytes() - before;
    }

    /** By way of JMX, because the module of the interface that has this method is not one that Freshet reads. */
    private static long allocatedBytes() {
        try {
            return (long) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                            "getThreadAllocatedBytes",
                            new Object[] {Thread.currentThread().getId()},
                            new String[] {"long"});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
