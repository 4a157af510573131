package org.freshet.microbench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.LongStream;

/** On Linux, measures the processor use of processes other than this one and its children. One thread. */
final class OtherProcesses {
    private static final Path ALL = Path.of("/proc/stat");
    private static final Path SELF = Path.of("/proc/self/stat");

    /** A larger share of a processor affects times and rates. */
    private static final double TOLERABLE = 0.1;

    private static final double TICKS_PER_SECOND = 100; // the unit that Linux shows to programs

    private final long sinceNanos = System.nanoTime();
    private final double sinceSeconds = secondsOfOthers();

    /**
     * Returns a warning about the time since this object was created; empty if others used little, or if the system
     * doesn't report it.
     */
    String warning() {
        double processors = (secondsOfOthers() - sinceSeconds) / ((System.nanoTime() - sinceNanos) / 1e9);
        return processors > TOLERABLE // false for NaN
                ? String.format(
                        Locale.ROOT,
                        "%nother processes kept %.1f processors busy meanwhile: compare ratios and counts, not times%n",
                        processors)
                : "";
    }

    private static double secondsOfOthers() {
        try {
            long own = ownTicks(Files.readString(SELF));
            return (busyTicks(Files.readAllLines(ALL).get(0)) - own) / TICKS_PER_SECOND;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Parses the first line of /proc/stat: everything but idle time and waiting for disks. */
    static long busyTicks(String line) {
        long[] ticks = numbers(line.substring("cpu".length()), 0, 8);
        return ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
    }

    /** Parses /proc/self/stat: this process and its children that have ended. */
    static long ownTicks(String line) {
        String afterName = line.substring(line.lastIndexOf(')') + 4); // the state is one letter
        return LongStream.of(numbers(afterName, 10, 14)).sum();
    }

    private static long[] numbers(String text, int from, int to) {
        return Arrays.stream(text.trim().split("\\s+"), from, to)
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
