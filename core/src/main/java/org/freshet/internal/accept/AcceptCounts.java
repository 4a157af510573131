package org.freshet.internal.accept;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the connections that servers have refused. Any thread may call any method. */
public final class AcceptCounts {
    /** Why a connection was refused. */
    public enum Cause {
        /** The maximum number of connections was open. */
        FULL,
        /** The maximum number of connections per address was open. */
        ADDRESS,
        /** More connections per second arrived than allowed. */
        RATE,
        /** The process had no descriptor left. */
        DESCRIPTORS
    }

    private static final AcceptCounts PROCESS = new AcceptCounts();

    private final LongAdder[] refused = new LongAdder[Cause.values().length];

    public AcceptCounts() {
        for (int i = 0; i < refused.length; i++) {
            refused[i] = new LongAdder();
        }
    }

    /** The counts of all servers. */
    public static AcceptCounts process() {
        return PROCESS;
    }

    public void add(Cause cause, int count) {
        refused[cause.ordinal()].add(count);
    }

    public long refused() {
        long sum = 0;
        for (LongAdder count : refused) {
            sum += count.sum();
        }
        return sum;
    }

    /** The counts by the lower-case names of the causes, including those with 0. */
    public Map<String, Long> refusedByCause() {
        Map<String, Long> counts = new TreeMap<>();
        for (Cause cause : Cause.values()) {
            counts.put(cause.name().toLowerCase(Locale.ROOT), refused[cause.ordinal()].sum());
        }
        return counts;
    }
}
