package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Measures the bytes that an action allocates, as counted by the JVM for the calling thread. Limits are for a 64-bit
 * JVM with compressed references.
 */
public final class Allocations {
    private static final int REPETITIONS = 10_000;

    /** Bytes per repetition that may come from the counting itself and from the JIT compiler. */
    private static final int SLACK = 6;

    /** Keeps the results in a field, so that no compiler eliminates their allocation. */
    @SuppressWarnings("unused")
    private static Object sink;

    private Allocations() {}

    /** Fails if the action allocates more than this on average. */
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

    /** Returns what one run of the action allocates, plus a few kilobytes for the counting. */
    public static long bytesOf(Runnable action) {
        long before = allocatedBytes();
        action.run();
        return allocatedBytes() - before;
    }

    /** Through JMX, because Freshet does not read the module of the interface that declares this method. */
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
