package org.freshet.handler.codec.http.server;

/**
 * Formats a request and its response as a line of the access log. In the formats provided here, nothing that a client
 * sends can end a line or a field, or reach a terminal: quotes, backslashes, controls and all non-ASCII characters are
 * escaped.
 *
 * <p>Implementations must be thread-safe.
 */
@FunctionalInterface
public interface AccessLogFormat {
    /** Returns the line without its end; null writes no line. */
    String format(AccessLogEntry entry);

    /** The Common Log Format: {@code 127.0.0.1 - - [22/Nov/2026:08:49:37 +0000] "GET / HTTP/1.1" 200 12}. */
    static AccessLogFormat common() {
        return entry -> AccessLogLines.common(entry).toString();
    }

    /** {@link #common()} followed by referer and user agent. */
    static AccessLogFormat combined() {
        return entry -> {
            StringBuilder line = AccessLogLines.common(entry);
            AccessLogLines.quoted(line.append(' '), entry.referer());
            return AccessLogLines.quoted(line.append(' '), entry.userAgent()).toString();
        };
    }

    /**
     * A JSON object with the fields of {@link AccessLogEntry}; null fields are left out. {@code "remote"} is the
     * client, {@code "proxy"} the peer if that is different. Times are written as
     * {@code "time":"2026-11-22T08:49:37.123Z"} and {@code "duration_us"}.
     */
    static AccessLogFormat json() {
        return AccessLogLines::json;
    }
}
