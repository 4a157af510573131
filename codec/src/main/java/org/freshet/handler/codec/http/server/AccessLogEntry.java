package org.freshet.handler.codec.http.server;

import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;

/**
 * A request and its response, for the access log. Texts are exactly what the client sent: escape them before they go to
 * a log.
 *
 * @param remoteAddress the peer of the connection, which may be a proxy; null if the channel was never connected
 * @param clientAddress the client as far as it is known, see {@link RequestSource#address()}
 * @param received when the head was received
 * @param duration from {@code received} until the last byte of the response was handed to the system, or the connection
 *     closed
 * @param method null for a request that could not be read
 * @param target as it was sent; null if {@code method} is
 * @param version such as {@code HTTP/1.1}; null if {@code method} is
 * @param status the status of the response; 0 if no response was sent
 * @param contentBytes bytes of the response sent, without its head; before compression if the log's handler is placed
 *     after the compressor
 * @param complete whether the whole response was sent
 * @param host the {@code Host} header; null if missing
 * @param referer the {@code Referer} header; null if missing
 * @param userAgent the {@code User-Agent} header; null if missing
 * @param failure why the request could not be read; null if it could
 */
public record AccessLogEntry(
        SocketAddress remoteAddress,
        SocketAddress clientAddress,
        Instant received,
        Duration duration,
        String method,
        String target,
        String version,
        int status,
        long contentBytes,
        boolean complete,
        String host,
        String referer,
        String userAgent,
        String failure) {}
