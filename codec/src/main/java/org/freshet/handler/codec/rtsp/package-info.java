/**
 * RTSP 1.0 (RFC 2326). The messages are those of {@link org.freshet.handler.codec.http}, with RTSP's own methods, statuses and
 * headers.
 *
 * <p>A server's pipeline begins with {@link org.freshet.handler.codec.rtsp.RtspRequestDecoder} and
 * {@link org.freshet.handler.codec.rtsp.RtspResponseEncoder}, a client's with the other two.
 */
package org.freshet.handler.codec.rtsp;
