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
 * What a process has used so far.
 *
 * <p>The thread that asks is left out of the processor times, so that asking does not show.
 *
 * @param processCpuNanos processor time of all threads, those of the JVM included
 * @param threadsCpuNanos processor time of the live Java threads: neither compiler nor collector
 * @param sleeps how often a live thread went to sleep by itself, or 0 where the system does not tell
 * @param residentBytes resident memory, or 0 where the system does not tell
 * @param allocatedBytes what the live Java threads have taken of the heap; virtual threads are not counted
 */
public record Usage(long processCpuNanos, long threadsCpuNanos, long sleeps, long residentBytes, long allocatedBytes) {
    private static final Path SELF = Path.of("/proc/self");
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** The usage of this process. */
    public static Usage now() {
        return new Usage(
                processCpuNanos(SELF.resolve("task")) - THREADS.getCurrentThreadCpuTime(),
                cpuNanosOfThreads(),
                sleepsOf(SELF.resolve("task")),
                valueIn(SELF.resolve("status"), "VmRSS:") * 1024,
                allocatedBytesOfThreads());
    }

    /** The usage of a process that is no JVM, where the system tells. */
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

    /** The usage since {@code earlier}; memory stays as it is now. */
    public Usage since(Usage earlier) {
        return new Usage(
                processCpuNanos - earlier.processCpuNanos,
                threadsCpuNanos - earlier.threadsCpuNanos,
                sleeps - earlier.sleeps,
                residentBytes,
                allocatedBytes - earlier.allocatedBytes);
    }

    /** One line that {@link #parse} understands. */
    public String line() {
        return processCpuNanos + " " + threadsCpuNanos + " " + sleeps + " " + residentBytes + " " + allocatedBytes;
    }

    /** The usage that {@link #line} gave. */
    public static Usage parse(String line) {
        long[] numbers = Stream.of(line.split(" ")).mapToLong(Long::parseLong).toArray();
        return new Usage(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    }

    /** The sum over live threads where the system has it by the nanosecond, else what the JVM has: whole ticks of 10 ms. */
    private static long processCpuNanos(Path tasks) {
        try (Stream<Path> threads = Files.list(tasks)) {
            long sum = threads.mapToLong(thread -> firstNumberIn(thread.resolve("schedstat")))
                    .sum();
            if (sum > 0) {
                return sum;
            }
        } catch (IOException e) {
            // Not Linux: the JVM's own figure has to do.
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

    /** The thread that asks is left out, as in the processor times. */
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

    /** The number after {@code key} at a line's start; 0 when there is no such line, or the thread has just ended. */
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
