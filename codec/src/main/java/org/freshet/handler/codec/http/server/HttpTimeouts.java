package org.freshet.handler.codec.http.server;

import java.util.concurrent.TimeUnit;

/**
 * How long a client may take, for {@link HttpTimeoutHandler}. Immutable.
 *
 * @param headMillis for a request's head, from its first byte; 1 or more
 * @param minBytesPerSecond of content that is received, and of answers that wait to be sent; 0 or more
 * @param rateMillis the interval in which that rate is measured; 1 or more
 * @param idleMillis between an answer and the next request; 1 or more
 * @param answerMillis from a request, with its content, to the head of its answer, up to twice as long if it waited
 *     behind another; 0 (the default) means no limit
 */
public record HttpTimeouts(
        long headMillis, long minBytesPerSecond, long rateMillis, long idleMillis, long answerMillis) {
    private static final HttpTimeouts STANDARD = new HttpTimeouts(10_000, 1024, 10_000, 60_000, 0);

    /** No time is longer than this, about 34 years, so that a sum of two does not overflow. */
    private static final long MAX_MILLIS = 1L << 40;

    public HttpTimeouts {
        requireTime("headMillis", headMillis);
        requireTime("rateMillis", rateMillis);
        requireTime("idleMillis", idleMillis);
        if (answerMillis != 0) {
            requireTime("answerMillis", answerMillis);
        }
        if (minBytesPerSecond < 0) {
            throw new IllegalArgumentException("minBytesPerSecond < 0: " + minBytesPerSecond);
        }
    }

    /** A head in 10 seconds, 1 KiB a second in each 10 seconds, 60 seconds between requests, no limit to handlers. */
    public static HttpTimeouts defaults() {
        return STANDARD;
    }

    public HttpTimeouts withHeadMillis(long millis) {
        return new HttpTimeouts(millis, minBytesPerSecond, rateMillis, idleMillis, answerMillis);
    }

    public HttpTimeouts withMinRate(long bytesPerSecond, long intervalMillis) {
        return new HttpTimeouts(headMillis, bytesPerSecond, intervalMillis, idleMillis, answerMillis);
    }

    public HttpTimeouts withIdleMillis(long millis) {
        return new HttpTimeouts(headMillis, minBytesPerSecond, rateMillis, millis, answerMillis);
    }

    /** A request that no handler has begun to answer by then gets a 503, and the connection is closed. */
    public HttpTimeouts withAnswerMillis(long millis) {
        return new HttpTimeouts(headMillis, minBytesPerSecond, rateMillis, idleMillis, millis);
    }

    private static void requireTime(String name, long millis) {
        if (millis < 1 || millis > MAX_MILLIS) {
            throw new IllegalArgumentException(name + " not in 1.." + MAX_MILLIS + ": " + millis);
        }
    }

    long headNanos() {
        return TimeUnit.MILLISECONDS.toNanos(headMillis);
    }

    long rateNanos() {
        return TimeUnit.MILLISECONDS.toNanos(rateMillis);
    }

    long idleNanos() {
        return TimeUnit.MILLISECONDS.toNanos(idleMillis);
    }

    /** 0 means no limit. */
    long answerNanos() {
        return TimeUnit.MILLISECONDS.toNanos(answerMillis);
    }

    /** In one interval. */
    double bytesAnInterval() {
        return minBytesPerSecond * (rateMillis / 1000.0);
    }
}
