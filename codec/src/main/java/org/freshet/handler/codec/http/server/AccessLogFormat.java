package org.freshet.handler.codec.http.server;

/**
 * Makes a line of a request and its answer. In those here nothing that a client sends can end a line or a field, nor reach a
 * terminal: quotes, backslashes, controls and all beyond ASCII are escaped.
 *
 * <p>Must be usable by several threads at a time.
 */
@FunctionalInterface
public interface AccessLogFormat {
    /** The line, without its end; null to write none. */
    String format(AccessLogEntry entry);

    /** The Common Log Format: {@code 127.0.0.1 - - [22/Nov/2026:08:49:37 +0000] "GET / HTTP/1.1" 200 12}. */
    static AccessLogFormat common() {
        return entry -> AccessLogLines.common(entry).toString();
    }

    /** {@link #common()}, and behind it referer and user agent. */
    static AccessLogFormat combined() {
        return entry -> {
            StringBuilder line = AccessLogLines.common(entry);
            AccessLogLines.quoted(line.append(' '), entry.referer());
            return AccessLogLines.quoted(line.append(' '), entry.userAgent()).toString();
        };
    }

    /**
     * An object of JSON with the fields of {@link AccessLogEntry}; those that are null are left out.
     * {@code "remote"} is the client, {@code "proxy"} the peer if that is another. Times are {@code
     * "time":"2026-11-22T08:49:37.123Z"} and {@code "duration_us"}.
     */
    static AccessLogFormat json() {
        return AccessLogLines::json;
    }
}
