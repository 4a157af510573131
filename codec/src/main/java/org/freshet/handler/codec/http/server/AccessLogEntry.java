package org.freshet.handler.codec.http.server;

import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;

/**
 * A request and its answer, as far as they went. Texts are what the client sent: escape what goes to a log.
 *
 * @param remoteAddress of the connection, which may be that of a proxy; null if it was never connected
 * @param clientAddress of the client as far as it is known, see {@link RequestSource#address()}
 * @param received when the head had been received
 * @param duration from then until the last byte of the answer had been given to the system, or the connection closed
 * @param method null for a request that could not be read
 * @param target as it was sent; null as {@code method} is
 * @param version such as {@code HTTP/1.1}; null as {@code method} is
 * @param status of the answer; 0 if there was none
 * @param contentBytes of the answer that were sent, without its head; before compression if the log's handler stands behind
 *     the compressor
 * @param complete whether the whole answer was sent
 * @param host null if there was none, as the following two
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
