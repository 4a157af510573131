package org.freshet.internal.time;

import java.time.Duration;

/**
 * Checks the times that users configure, everywhere in the same way: a time is more than 0, or, where there may be no limit, {@link
 * Duration#ZERO} for none. Stateless; any thread.
 */
public final class Durations {
    /** About 34 years. No time is longer, so that the sum of two does not overflow, in nanoseconds either. */
    public static final Duration MAX = Duration.ofMillis(1L << 40);

    private Durations() {}

    /** Returns the value if it is more than 0. */
    public static Duration positive(String name, Duration value) {
        if (limit(name, value).isZero()) {
            throw new IllegalArgumentException(name + " <= 0: " + value);
        }
        return value;
    }

    /** Returns the value if it is 0 or more. */
    public static Duration limit(String name, Duration value) {
        if (value == null) {
            throw new NullPointerException(name);
        }
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " < 0: " + value);
        }
        if (value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(name + " > " + MAX + ": " + value);
        }
        return value;
    }

    /** In milliseconds, rounded up: a time that is more than 0 stays so. */
    public static long millis(Duration checked) {
        return checked.plusNanos(999_999).toMillis();
    }
}
