package org.freshet.handler.codec.http2;

import java.util.Objects;

/**
 * Rate limits on frames that are legal one by one but an attack in volume, for {@link Http2Settings#abuseLimits()}. Beyond a limit the
 * connection ends with {@link Http2Error#ENHANCE_YOUR_CALM} and a message that names the limit. Immutable.
 *
 * <p>Memory has fixed bounds besides, for clients and servers alike: header fields, unsent answers to PING, SETTINGS and refused requests, and
 * content by windows.
 *
 * <pre>{@code
 * Http2AbuseLimits busyTests = Http2AbuseLimits.defaults().withResets(new Http2AbuseLimits.Rate(2_000, 500));
 * Http2Settings settings = Http2Settings.defaults().toBuilder().abuseLimits(busyTests).build();
 * }</pre>
 *
 * @param resets requests that the peer resets within a second and before their answer is complete, and those that are malformed or refused,
 *     unless what other connections hold is the reason
 * @param pings frames PING; the first after each DATA frame that was sent is free, since gRPC measures round trips with it
 * @param settings frames SETTINGS
 * @param priorities frames PRIORITY and PRIORITY_UPDATE
 * @param idleFrames frames that carry nothing: empty DATA that doesn't end a stream, unknown types, WINDOW_UPDATE beyond what
 *     DATA that was sent asks for (two for each frame, and one for each 256 octets), acknowledgements of what was not sent, and frames on
 *     streams that are gone beyond two for each stream
 */
public record Http2AbuseLimits(Rate resets, Rate pings, Rate settings, Rate priorities, Rate idleFrames) {
    /**
     * A token bucket: a burst, and a rate per second.
     *
     * @param atOnce 1 or more
     * @param perSecond 0 or more
     */
    public record Rate(int atOnce, int perSecond) {
        /** No limit. */
        public static final Rate UNLIMITED = new Rate(Integer.MAX_VALUE, Integer.MAX_VALUE);

        /** @throws IllegalArgumentException if a value is out of its range */
        public Rate {
            if (atOnce < 1 || perSecond < 0) {
                throw new IllegalArgumentException("a rate of " + atOnce + " at once and " + perSecond
                        + " a second: needs 1 or more, and 0 or more");
            }
        }
    }

    private static final Http2AbuseLimits STANDARD = new Http2AbuseLimits(
            new Rate(200, 20),
            new Rate(10_000, 1_000),
            new Rate(100, 20),
            new Rate(2_000, 1_000),
            new Rate(10_000, 1_000));

    private static final Http2AbuseLimits NONE =
            new Http2AbuseLimits(Rate.UNLIMITED, Rate.UNLIMITED, Rate.UNLIMITED, Rate.UNLIMITED, Rate.UNLIMITED);

    /** @throws NullPointerException if one is null */
    public Http2AbuseLimits {
        Objects.requireNonNull(resets, "resets");
        Objects.requireNonNull(pings, "pings");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(priorities, "priorities");
        Objects.requireNonNull(idleFrames, "idleFrames");
    }

    /**
     * What servers have unless they say otherwise: 200 resets and 20 a second, 10,000 PING and 1,000 a second, 100 SETTINGS and 20 a
     * second, 2,000 priorities and 1,000 a second, 10,000 idle frames and 1,000 a second.
     */
    public static Http2AbuseLimits defaults() {
        return STANDARD;
    }

    /** What clients have unless they say otherwise: no limits. A client has chosen its server. */
    public static Http2AbuseLimits none() {
        return NONE;
    }

    public Http2AbuseLimits withResets(Rate rate) {
        return new Http2AbuseLimits(rate, pings, settings, priorities, idleFrames);
    }

    public Http2AbuseLimits withPings(Rate rate) {
        return new Http2AbuseLimits(resets, rate, settings, priorities, idleFrames);
    }

    public Http2AbuseLimits withSettings(Rate rate) {
        return new Http2AbuseLimits(resets, pings, rate, priorities, idleFrames);
    }

    public Http2AbuseLimits withPriorities(Rate rate) {
        return new Http2AbuseLimits(resets, pings, settings, rate, idleFrames);
    }

    public Http2AbuseLimits withIdleFrames(Rate rate) {
        return new Http2AbuseLimits(resets, pings, settings, priorities, rate);
    }
}
