package org.freshet.example.grpc;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header {@code grpc-timeout}: the client's time limit for a call, as up to eight digits and a unit. */
final class GrpcTimeout {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,8})([HMSmun])");
    private static final long MOST_NANOS = TimeUnit.DAYS.toNanos(365);

    private static final long MOST_DIGITS = 99_999_999;

    private GrpcTimeout() {}

    /** @return nanoseconds, a year at most */
    static long nanos(String header) throws GrpcException {
        Matcher matcher = SYNTAX.matcher(header);
        if (!matcher.matches()) {
            throw new GrpcException(GrpcStatus.INTERNAL, "invalid grpc-timeout: " + header);
        }
        return Math.min(MOST_NANOS, unit(matcher.group(2)).toNanos(Long.parseLong(matcher.group(1))));
    }

    /**
     * Returns the header value for a number of nanoseconds, rounded down to microseconds or, from 100 seconds on, to
     * milliseconds; never 0.
     */
    static String header(long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        return micros <= MOST_DIGITS
                ? Math.max(1, micros) + "u"
                : Math.min(MOST_DIGITS, TimeUnit.NANOSECONDS.toMillis(nanos)) + "m";
    }

    private static TimeUnit unit(String letter) {
        return switch (letter) {
            case "H" -> TimeUnit.HOURS;
            case "M" -> TimeUnit.MINUTES;
            case "S" -> TimeUnit.SECONDS;
            case "m" -> TimeUnit.MILLISECONDS;
            case "u" -> TimeUnit.MICROSECONDS;
            default -> TimeUnit.NANOSECONDS;
        };
    }
}
