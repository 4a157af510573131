package org.freshet.handler.codec.http2;

import java.time.Duration;
import org.freshet.internal.time.Durations;

/**
 * How long a peer may take, for {@link Http2Settings#timeouts()}. {@link Duration#ZERO} means no limit. Times that are measured
 * repeatedly, {@code writeStall}, {@code idle} and the two of PING, may last longer by half of the shortest of them. Immutable.
 *
 * @param handshake until a peer has sent its SETTINGS and acknowledged ours; else the connection ends with SETTINGS_TIMEOUT.
 *     {@link HttpServerChooser} closes a connection on which nothing begins for that long
 * @param head from the beginning of a message's head, or of another frame that is held until it is whole, to its end; else the
 *     connection ends with ENHANCE_YOUR_CALM
 * @param writeStall during which a server has content to send and the client's windows let pass less than a kibibyte; then
 *     the stream is reset. So is a server's stream whose answer is complete, and of whose request handlers read nothing for that long. If
 *     nothing leaves a connection of either side for that long, because its peer does not read, it is closed
 * @param idle without a stream, after which a server {@linkplain Http2ServerHandler#drain drains} the connection
 * @param pingInterval without anything received, after which a PING is sent; {@link Duration#ZERO} sends none
 * @param pingTimeout without anything received after that PING, after which the connection is closed
 * @param drain after this side's GOAWAY, during which no stream ends and less than a kibibyte is sent and received; then the
 *     connection is closed. It does not hold where the channel is drained by a {@link org.freshet.channel.DrainEvent}, whose drain has
 *     a deadline, nor after a GOAWAY of the peer's alone
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
     * 10 seconds to begin, 10 for a head, 30 for a window to open, 60 between requests, 30 without progress of a drain; no PING, which has
     * 10 if there is one.
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

    /** @param timeout for the answer */
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
