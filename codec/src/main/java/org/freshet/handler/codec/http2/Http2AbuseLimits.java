package org.freshet.handler.codec.http2;

import java.util.Objects;

/**
 * Rate limits on frames that are legal one by one but an attack in volume, for {@link Http2Settings#abuseLimits()}. Beyond a
 * limit the connection ends with {@link Http2Error#ENHANCE_YOUR_CALM} and a message that names the limit. Immutable.
 *
 * <p>Besides these, memory has fixed bounds on clients and servers alike: on header fields, on unsent answers to PING, SETTINGS
 * and refused requests, and on content through windows.
 *
 * <pre>{@code
 * Http2AbuseLimits busyTests = Http2AbuseLimits.defaults().withResets(new Http2AbuseLimits.Rate(2_000, 500));
 * Http2Settings settings = Http2Settings.defaults().toBuilder().abuseLimits(busyTests).build();
 * }</pre>
 *
 * @param resets requests that the peer resets within a second and before their answer is complete, and requests that are
 * malformed or refused, unless other connections are the reason
 * @param pings PING frames; the first after each DATA frame we send is free, because gRPC measures round trips with it
 * @param settings SETTINGS frames
 * @param priorities PRIORITY and PRIORITY_UPDATE frames
 * @param emptyFrames frames that carry nothing: empty DATA that doesn't end a stream, unknown types, more WINDOW_UPDATE than our
 * DATA requires (two per frame, and one per 256 octets), acknowledgements of something that was never sent, and more than two
 * frames per stream on streams that are gone
 */
public record Http2AbuseLimits(Rate resets, Rate pings, Rate settings, Rate priorities, Rate emptyFrames) {
    /**
     * A token bucket: a burst, and a rate per second.
     *
     * @param burst the burst, 1 or more
     * @param perSecond the rate, 0 or more
     */
    public record Rate(int burst, int perSecond) {
        /** No limit. */
        public static final Rate UNLIMITED = new Rate(Integer.MAX_VALUE, Integer.MAX_VALUE);

        /** @throws IllegalArgumentException if a value is out of its range */
        public Rate {
            if (burst < 1 || perSecond < 0) {
                throw new IllegalArgumentException("rate out of range: burst must be 1 or more: " + burst
                        + "; perSecond must be 0 or more: " + perSecond);
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

    /** @throws NullPointerException if a rate is null */
    public Http2AbuseLimits {
        Objects.requireNonNull(resets, "resets");
        Objects.requireNonNull(pings, "pings");
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(priorities, "priorities");
        Objects.requireNonNull(emptyFrames, "emptyFrames");
    }

    /**
     * The default for servers: bursts of 200 resets (then 20 per second), 10,000 PING (1,000 per second), 100 SETTINGS (20 per
     * second), 2,000 priorities (1,000 per second) and 10,000 idle frames (1,000 per second).
     */
    public static Http2AbuseLimits defaults() {
        return STANDARD;
    }

    /** The default for clients: no limits. A client has chosen its server. */
    public static Http2AbuseLimits none() {
        return NONE;
    }

    public Http2AbuseLimits withResets(Rate rate) {
        return new Http2AbuseLimits(rate, pings, settings, priorities, emptyFrames);
    }

    public Http2AbuseLimits withPings(Rate rate) {
        return new Http2AbuseLimits(resets, rate, settings, priorities, emptyFrames);
    }

    public Http2AbuseLimits withSettings(Rate rate) {
        return new Http2AbuseLimits(resets, pings, rate, priorities, emptyFrames);
    }

    public Http2AbuseLimits withPriorities(Rate rate) {
        return new Http2AbuseLimits(resets, pings, settings, rate, emptyFrames);
    }

    public Http2AbuseLimits withEmptyFrames(Rate rate) {
        return new Http2AbuseLimits(resets, pings, settings, priorities, rate);
    }
}
