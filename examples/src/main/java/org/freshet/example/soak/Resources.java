package org.freshet.example.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * What the process holds while nothing runs.
 *
 * @param heapBytes in use after a collection
 * @param descriptors 0 where the system doesn't tell
 */
record Resources(long heapBytes, Set<Thread> threads, long descriptors) {
    /** Far less than a minute of load would leave behind; code that is compiled and classes that are loaded meanwhile need some. */
    private static final long MAX_MORE_HEAP_BYTES = 4 << 20;

    private static final int MAX_WAIT_SECONDS = 30;

    static Resources now() {
        System.gc();
        System.gc(); // the first has enqueued what cleaners free
        return new Resources(usedHeapBytes(), Thread.getAllStackTraces().keySet(), openDescriptors());
    }

    /** Without a collection. */
    static long usedHeapBytes() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    /** What the process holds when no more than this, or after some time. */
    Resources awaitNoMore() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_WAIT_SECONDS);
        Resources now = now();
        while (!now.moreThan(this).isEmpty() && System.nanoTime() < deadlineNanos) {
            Thread.sleep(200); // threads end, and sockets close, a moment after their owners were released
            now = now();
        }
        return now;
    }

    /** What is left beyond an earlier time, each in words. */
    Set<String> moreThan(Resources earlier) {
        Set<String> more = new TreeSet<>();
        if (heapBytes > earlier.heapBytes + MAX_MORE_HEAP_BYTES) {
            more.add("the heap has grown from " + earlier.heapBytes + " to " + heapBytes + " bytes");
        }
        if (descriptors > earlier.descriptors) {
            more.add("there are " + descriptors + " descriptors, and were " + earlier.descriptors);
        }
        Set<String> others = threads.stream()
                .filter(thread -> thread.isAlive() && !earlier.threads.contains(thread))
                .map(Thread::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!others.isEmpty()) {
            more.add("threads are left: " + others);
        }
        return more;
    }

    @Override
    public String toString() {
        return String.format(
                "%.1f MiB of heap, %d threads, %d descriptors", heapBytes / 1048576.0, threads.size(), descriptors);
    }
}
