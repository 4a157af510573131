package org.freshet.handler.codec.http2;

import java.time.Duration;
import org.freshet.internal.time.Durations;

/**
 * How long a peer may take, for {@link Http2Settings#timeouts()}. {@link Duration#ZERO} means no limit. Times that are checked
 * repeatedly ({@code writeStall}, {@code idle} and the two for PING) may run longer by half of the shortest of them. Immutable.
 *
 * @param handshake the time for a peer to send its SETTINGS and acknowledge ours; then the connection ends with
 * SETTINGS_TIMEOUT. {@link HttpServerChooser} closes a connection on which nothing begins within this time
 * @param head the time from the beginning to the end of a message's head, or of another frame that is held until it is
 * complete; then the connection ends with ENHANCE_YOUR_CALM
 * @param writeStall the time during which a server has content to send but the client's windows allow less than a kibibyte;
 * then the stream is reset. A server's stream is also reset if its answer is complete but handlers read nothing of the request
 * for this long. A connection of either side is closed if nothing can be sent for this long because the peer doesn't read
 * @param idle the time without a stream after which a server {@linkplain Http2ServerHandler#drain drains} the connection
 * @param pingInterval the time without anything received after which a PING is sent; {@link Duration#ZERO} sends none
 * @param pingTimeout the time without anything received after that PING, after which the connection is closed
 * @param drain the time after this side's GOAWAY during which no stream ends and less than a kibibyte is sent and received;
 * then the connection is closed. It doesn't apply if the channel is drained by a {@link org.freshet.channel.DrainEvent}, whose
 * drain has its own deadline, nor if only the peer has sent GOAWAY
 */
public record Http2Timeouts(
        Duration handshake,
        Duration head,
        Duration writeStall,
        Duration idle,
        Duration pingInterval,
        Duration pingTimeout,
        Duration drain) {
    private static final Http2Timeouts STANDARD = new Http2Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ZERO,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30));

    public Http2Timeouts {
        Durations.limit("handshake", handshake);
        Durations.limit("head", head);
        Durations.limit("writeStall", writeStall);
        Durations.limit("idle", idle);
        Durations.limit("pingInterval", pingInterval);
        Durations.limit("pingTimeout", pingTimeout);
        Durations.limit("drain", drain);
    }

    /**
     * 10 seconds for the handshake, 10 for a head, 30 for a write stall, 60 between requests, 30 for a drain without progress.
     * No PING; its time-out would be 10 seconds.
     */
    public static Http2Timeouts defaults() {
        return STANDARD;
    }

    public Http2Timeouts withHandshake(Duration time) {
        return new Http2Timeouts(time, head, writeStall, idle, pingInterval, pingTimeout, drain);
    }

    public Http2Timeouts withHead(Duration time) {
        return new Http2Timeouts(handshake, time, writeStall, idle, pingInterval, pingTimeout, drain);
    }

    public Http2Timeouts withWriteStall(Duration time) {
        return new Http2Timeouts(handshake, head, time, idle, pingInterval, pingTimeout, drain);
    }

    public Http2Timeouts withIdle(Duration time) {
        return new Http2Timeouts(handshake, head, writeStall, time, pingInterval, pingTimeout, drain);
    }

    /** @param timeout the time for the answer */
    public Http2Timeouts withPing(Duration interval, Duration timeout) {
        return new Http2Timeouts(handshake, head, writeStall, idle, interval, timeout, drain);
    }

    public Http2Timeouts withDrain(Duration time) {
        return new Http2Timeouts(handshake, head, writeStall, idle, pingInterval, pingTimeout, time);
    }

    long handshakeMillis() {
        return Durations.millis(handshake);
    }

    long headMillis() {
        return Durations.millis(head);
    }

    long writeStallMillis() {
        return Durations.millis(writeStall);
    }

    long idleMillis() {
        return Durations.millis(idle);
    }

    long pingIntervalMillis() {
        return Durations.millis(pingInterval);
    }

    long pingTimeoutMillis() {
        return Durations.millis(pingTimeout);
    }

    long drainMillis() {
        return Durations.millis(drain);
    }
}
