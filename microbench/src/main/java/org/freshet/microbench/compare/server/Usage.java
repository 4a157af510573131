package org.freshet.microbench.compare.server;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The resource usage of a process so far.
 *
 * <p>The asking thread is excluded from the processor times, so that asking does not show.
 *
 * @param processCpuNanos processor time of all threads, including those of the JVM
 * @param threadsCpuNanos processor time of the live Java threads, without compiler and collector
 * @param sleeps how often a live thread went to sleep voluntarily; 0 if the system does not report it
 * @param residentBytes resident memory; 0 if the system does not report it
 * @param allocatedBytes heap bytes allocated by the live Java threads; virtual threads are not counted
 */
public record Usage(long processCpuNanos, long threadsCpuNanos, long sleeps, long residentBytes, long allocatedBytes) {
    private static final Path SELF = Path.of("/proc/self");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Returns the usage of this process. */
    public static Usage now() {
        return new Usage(
                processCpuNanos(SELF.resolve("task")) - THREADS.getCurrentThreadCpuTime(),
                cpuNanosOfThreads(),
                sleepsOf(SELF.resolve("task")),
                valueIn(SELF.resolve("status"), "VmRSS:") * 1024,
                allocatedBytesOfThreads());
    }

    /** Returns the usage of a process that is not a JVM, as far as the system reports it. */
    static Usage of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        long cpuNanos = processCpuNanos(process.resolve("task"));
        return new Usage(
                cpuNanos,
                cpuNanos,
                sleepsOf(process.resolve("task")),
                valueIn(process.resolve("status"), "VmRSS:") * 1024,
                0);
    }

    /** Returns the usage since {@code earlier}; memory is the current value. */
    public Usage since(Usage earlier) {
        return new Usage(
                processCpuNanos - earlier.processCpuNanos,
                threadsCpuNanos - earlier.threadsCpuNanos,
                sleeps - earlier.sleeps,
                residentBytes,
                allocatedBytes - earlier.allocatedBytes);
    }

    /** Returns one line that {@link #parse} understands. */
    public String line() {
        return processCpuNanos + " " + threadsCpuNanos + " " + sleeps + " " + residentBytes + " " + allocatedBytes;
    }

    /** Parses the usage from {@link #line}. */
    public static Usage parse(String line) {
        long[] numbers = Stream.of(line.split(" ")).mapToLong(Long::parseLong).toArray();
        return new Usage(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    /**
     * Returns the sum over live threads if the system reports it in nanoseconds, otherwise the JVM's value: whole ticks
     * of 10 ms.
     */
    private static long processCpuNanos(Path tasks) {
        try (Stream<Path> threads = Files.list(tasks)) {
            long sum = threads.mapToLong(thread -> firstNumberIn(thread.resolve("schedstat")))
                    .sum();
            if (sum > 0) {
                return sum;
            }
        } catch (IOException e) {
            // Not Linux: use the JVM's own figure.
        }
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long firstNumberIn(Path file) {
        try {
            String text = Files.readString(file);
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (IOException e) {
            return 0;
        }
    }

    private static long cpuNanosOfThreads() {
        long self = Thread.currentThread().getId();
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            if (id != self) {
                sum += Math.max(0, THREADS.getThreadCpuTime(id));
            }
        }
        return sum;
    }

    /** The asking thread is excluded, as in the processor times. */
    private static long allocatedBytesOfThreads() {
        long self = Thread.currentThread().getId();
        long sum = 0;
        for (long id : THREADS.getAllThreadIds()) {
            if (id != self) {
                sum += Math.max(0, THREADS.getThreadAllocatedBytes(id));
            }
        }
        return sum;
    }

    private static long sleepsOf(Path tasks) {
        try (Stream<Path> threads = Files.list(tasks)) {
            return threads.mapToLong(thread -> valueIn(thread.resolve("status"), "voluntary_ctxt_switches:"))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Returns the number after {@code key} at the start of a line; 0 if there is no such line, or the thread has just
     * ended.
     */
    private static long valueIn(Path file, String key) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }
}
