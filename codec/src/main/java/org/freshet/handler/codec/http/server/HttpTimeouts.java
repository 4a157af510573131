package org.freshet.handler.codec.http.server;

import java.time.Duration;
import org.freshet.internal.time.Durations;

/**
 * How long a client may take, for {@link HttpTimeoutHandler}. {@link Duration#ZERO} means no limit. Immutable.
 *
 * @param head for a request's head, from its first byte
 * @param minBytesPerSecond for content being received, and for responses that wait to be sent; 0 means no limit
 * @param rateInterval the interval over which that rate is measured; more than 0
 * @param idle from the last byte sent of a response to the next request
 * @param response from a complete request to the head of its response; up to twice as long if it waited behind another
 *     request; no limit by default
 */
public record HttpTimeouts(
        Duration head, long minBytesPerSecond, Duration rateInterval, Duration idle, Duration response) {
    private static final HttpTimeouts STANDARD = new HttpTimeouts(
            Duration.ofSeconds(10), 1024, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ZERO);

    public HttpTimeouts {
        Durations.limit("head", head);
        Durations.positive("rateInterval", rateInterval);
        Durations.limit("idle", idle);
        Durations.limit("response", response);
        if (minBytesPerSecond < 0) {
            throw new IllegalArgumentException("minBytesPerSecond < 0: " + minBytesPerSecond);
        }
    }

    /**
     * 10 seconds for a head, 1 KiB per second in each 10 seconds, 60 seconds between requests, no limit for handlers.
     */
    public static HttpTimeouts defaults() {
        return STANDARD;
    }

    public HttpTimeouts withHead(Duration time) {
        return new HttpTimeouts(time, minBytesPerSecond, rateInterval, idle, response);
    }

    /**
     * Sets how fast content must arrive and responses must be read.
     *
     * @param bytesPerSecond 0 means no limit
     */
    public HttpTimeouts withMinRate(long bytesPerSecond, Duration interval) {
        return new HttpTimeouts(head, bytesPerSecond, interval, idle, response);
    }

    public HttpTimeouts withIdle(Duration time) {
        return new HttpTimeouts(head, minBytesPerSecond, rateInterval, time, response);
    }

    /**
     * Sets how long handlers may take to begin a response. After that, the client gets a 503 and the connection is
     * closed.
     */
    public HttpTimeouts withResponse(Duration time) {
        return new HttpTimeouts(head, minBytesPerSecond, rateInterval, idle, time);
    }

    /** 0 means no limit. */
    long headNanos() {
        return head.toNanos();
    }

    long rateNanos() {
        return rateInterval.toNanos();
    }

    /** 0 means no limit. */
    long idleNanos() {
        return idle.toNanos();
    }

    /** 0 means no limit. */
    long responseNanos() {
        return response.toNanos();
    }

    /** Minimum bytes in one interval. */
    double bytesAnInterval() {
        return minBytesPerSecond * (rateNanos() / 1e9);
    }
}
