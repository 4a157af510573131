package org.freshet.handler.codec.spdy;

import java.time.Duration;
import org.freshet.internal.time.Durations;

/**
 * How long the peer of a SPDY session may take, for {@link SpdySessionHandler}. {@link Duration#ZERO} means no limit. The times are measured
 * repeatedly, so each may last longer by half. Immutable.
 *
 * @param writeStall during which data of a stream waits and the peer's windows let pass less than a kibibyte; then the stream is reset with
 *     CANCEL. If nothing leaves the channel for that long, because its peer doesn't read, it is closed
 * @param drain after the request to close, during which no stream ends and less than a kibibyte is sent and received; then the channel is
 *     closed whatever its streams wait for
 */
public record SpdyTimeouts(Duration writeStall, Duration drain) {
    private static final SpdyTimeouts STANDARD = new SpdyTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

    public SpdyTimeouts {
        Durations.limit("writeStall", writeStall);
        Durations.limit("drain", drain);
    }

    /** 30 seconds for a window to open, and 30 without progress of a close. */
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
