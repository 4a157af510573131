package org.freshet.handler.codec.http2;

/**
 * How long a peer may take, for {@link Http2Settings#timeouts()}. A time of 0 is without end. Those that are measured again and
 * again, {@code writeStallMillis}, {@code idleMillis} and the two of PING, may last longer by half of the shortest of them. Immutable.
 *
 * @param handshakeMillis until a peer has sent its SETTINGS and acknowledged ours; else the connection ends with SETTINGS_TIMEOUT.
 *     {@link HttpServerChooser} closes a connection on which nothing begins for that long
 * @param headMillis from the beginning of a message's head, or of another frame that is held until it is whole, to its end; else the
 *     connection ends with ENHANCE_YOUR_CALM
 * @param writeStallMillis during which a server has content to send and the client's windows let pass less than a kibibyte; then
 *     the stream is reset. So is a server's stream whose answer is complete, and of whose request handlers read nothing for that long. If
 *     nothing leaves a connection of either side for that long, because its peer does not read, it is closed
 * @param idleMillis without a stream, after which a server {@linkplain Http2ServerHandler#drain drains} the connection
 * @param pingIntervalMillis without anything received, after which a PING is sent
 * @param pingTimeoutMillis without anything received after that PING, after which the connection is closed
 * @param drainMillis after this side's GOAWAY, during which no stream ends and less than a kibibyte is sent and received; then the
 *     connection is closed. It does not hold where the channel is drained by a {@link org.freshet.channel.DrainEvent}, whose drain has
 *     a deadline, nor after a GOAWAY of the peer's alone
 */
public record Http2Timeouts(
        long handshakeMillis,
        long headMillis,
        long writeStallMillis,
        long idleMillis,
        long pingIntervalMillis,
        long pingTimeoutMillis,
        long drainMillis) {
    private static final Http2Timeouts STANDARD = new Http2Timeouts(10_000, 10_000, 30_000, 60_000, 0, 10_000, 30_000);

    /** No time is longer than this, about 34 years. */
    private static final long MAX_MILLIS = 1L << 40;

    public Http2Timeouts {
        requireTime("handshakeMillis", handshakeMillis);
        requireTime("headMillis", headMillis);
        requireTime("writeStallMillis", writeStallMillis);
        requireTime("idleMillis", idleMillis);
        requireTime("pingIntervalMillis", pingIntervalMillis);
        requireTime("pingTimeoutMillis", pingTimeoutMillis);
        requireTime("drainMillis", drainMillis);
    }

    /**
     * 10 seconds to begin, 10 for a head, 30 for a window to open, 60 between requests, 30 without progress of a drain; no PING, which has
     * 10 if there is one.
     */
    public static Http2Timeouts defaults() {
        return STANDARD;
    }

    public Http2Timeouts withHandshakeMillis(long millis) {
        return new Http2Timeouts(
                millis, headMillis, writeStallMillis, idleMillis, pingIntervalMillis, pingTimeoutMillis, drainMillis);
    }

    public Http2Timeouts withHeadMillis(long millis) {
        return new Http2Timeouts(
                handshakeMillis,
                millis,
                writeStallMillis,
                idleMillis,
                pingIntervalMillis,
                pingTimeoutMillis,
                drainMillis);
    }

    public Http2Timeouts withWriteStallMillis(long millis) {
        return new Http2Timeouts(
                handshakeMillis, headMillis, millis, idleMillis, pingIntervalMillis, pingTimeoutMillis, drainMillis);
    }

    public Http2Timeouts withIdleMillis(long millis) {
        return new Http2Timeouts(
                handshakeMillis,
                headMillis,
                writeStallMillis,
                millis,
                pingIntervalMillis,
                pingTimeoutMillis,
                drainMillis);
    }

    /** @param timeoutMillis for the answer */
    public Http2Timeouts withPing(long intervalMillis, long timeoutMillis) {
        return new Http2Timeouts(
                handshakeMillis, headMillis, writeStallMillis, idleMillis, intervalMillis, timeoutMillis, drainMillis);
    }

    public Http2Timeouts withDrainMillis(long millis) {
        return new Http2Timeouts(
                handshakeMillis,
                headMillis,
                writeStallMillis,
                idleMillis,
                pingIntervalMillis,
                pingTimeoutMillis,
                millis);
    }

    private static void requireTime(String name, long millis) {
        if (millis < 0 || millis > MAX_MILLIS) {
            throw new IllegalArgumentException(name + " not in 0.." + MAX_MILLIS + ": " + millis);
        }
    }
}
