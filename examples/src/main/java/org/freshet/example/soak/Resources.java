package org.freshet.example.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The resources of the process while it is idle.
 *
 * @param heapBytes in use after a garbage collection
 * @param descriptors 0 if the system doesn't report it
 */
record Resources(long heapBytes, Set<Thread> threads, long descriptors) {
    /**
     * Far less than a minute of load would leave behind. Some growth is normal: code is compiled and classes are loaded
     * meanwhile.
     */
    private static final long MAX_MORE_HEAP_BYTES = 4 << 20;

    private static final int MAX_WAIT_SECONDS = 30;

    static Resources now() {
        System.gc();
        System.gc(); // the first collection has queued work for cleaners
        return new Resources(usedHeapBytes(), Thread.getAllStackTraces().keySet(), openDescriptors());
    }

    /** Reads the heap size without a garbage collection. */
    static long usedHeapBytes() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    /** Waits for the resources to drop to this level, for a limited time; returns them. */
    Resources awaitNoMore() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
        Resources now = now();
        while (!now.moreThan(this).isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(200); // threads end and sockets close a moment after their owners are released
            now = now();
        }
        return now;
    }

    /** Returns descriptions of the growth since an earlier time. */
    Set<String> moreThan(Resources earlier) {
        Set<String> more = new TreeSet<>();
        if (heapBytes > earlier.heapBytes + MAX_MORE_HEAP_BYTES) {
            more.add("the heap has grown from " + earlier.heapBytes + " to " + heapBytes + " bytes");
        }
        if (descriptors > earlier.descriptors) {
            more.add("descriptors have grown from " + earlier.descriptors + " to " + descriptors);
        }
        Set<String> others = threads.stream()
                .filter(thread -> thread.isAlive() && !earlier.threads.contains(thread) && !isKeptByTheJdk(thread))
                .map(Thread::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!others.isEmpty()) {
            more.add("threads left: " + others);
        }
        return more;
    }

    /** Since Java 25, a pool keeps this thread once a task, or a virtual thread, has waited for a time. */
    private static boolean isKeptByTheJdk(Thread thread) {
        return thread.getName().endsWith("-delayScheduler");
    }

    @Override
    public String toString() {
        return String.format(
                "%.1f MiB of heap, %d threads, %d descriptors", heapBytes / 1048576.0, threads.size(), descriptors);
    }
}
