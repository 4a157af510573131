package org.freshet.internal.time;

import java.time.Duration;

/**
 * Checks times that users configure, in the same way everywhere: a time must be more than 0 or, where no limit is allowed,
 * {@link Duration#ZERO} for no limit. Stateless; any thread may call any method.
 */
public final class Durations {
    /** About 34 years. No longer time is allowed, so that the sum of two doesn't overflow, even in nanoseconds. */
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

    /** Returns the time in milliseconds, rounded up: a time above 0 stays above 0. */
    public static long millis(Duration checked) {
        return checked.plusNanos(999_999).toMillis();
    }
}
