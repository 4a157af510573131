package org.freshet.handler.codec.spdy;

import java.time.Duration;
import org.freshet.internal.time.Durations;

/**
 * How long the peer of a SPDY session may take, for {@link SpdySessionHandler}. {@link Duration#ZERO} means no limit. The times
 * are checked repeatedly, so each may run longer by half. Immutable.
 *
 * @param writeStall the time during which data of a stream waits but the peer's windows allow less than a kibibyte; then the
 * stream is reset with CANCEL. The channel is closed if nothing can be sent for this long because the peer doesn't read
 * @param drain the time after a close request during which no stream ends and less than a kibibyte is sent and received; then
 * the channel is closed regardless of its streams
 */
public record SpdyTimeouts(Duration writeStall, Duration drain) {
    private static final SpdyTimeouts STANDARD = new SpdyTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

    public SpdyTimeouts {
        Durations.limit("writeStall", writeStall);
        Durations.limit("drain", drain);
    }

    /** 30 seconds for a write stall, and 30 for a close without progress. */
    public static SpdyTimeouts defaults() {
        return STANDARD;
    }

    public SpdyTimeouts withWriteStall(Duration time) {
        return new SpdyTimeouts(time, drain);
    }

    public SpdyTimeouts withDrain(Duration time) {
        return new SpdyTimeouts(writeStall, time);
    }

    long writeStallMillis() {
        return Durations.millis(writeStall);
    }

    long drainMillis() {
        return Durations.millis(drain);
    }
}
