package org.freshet.internal.accept;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The connections that servers have refused. Any thread. */
public final class AcceptCounts {
    /** Why a connection was refused. */
    public enum Cause {
        /** As many connections as allowed were open. */
        FULL,
        /** As many connections as allowed were open from its address. */
        ADDRESS,
        /** More came in a second than allowed. */
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

    /** Those of all servers. */
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

    /** By the names of the causes in lower case; all of them. */
    public Map<String, Long> refusedByCause() {
        Map<String, Long> counts = new TreeMap<>();
        for (Cause cause : Cause.values()) {
            counts.put(cause.name().toLowerCase(Locale.ROOT), refused[cause.ordinal()].sum());
        }
        return counts;
    }
}
