/**
 * HTTP/2 (RFC 9113, RFC 7541, RFC 9218). Each stream is a channel, so handlers written for HTTP/1.1 serve HTTP/2 unchanged.
 * {@link org.freshet.handler.codec.http2.HttpServerChooser} accepts both on one port.
 *
 * <p>Inside: {@code FrameReader} and {@code FrameWriter} handle bytes, {@code Connection} and {@code Stream} handle states and
 * windows, {@code InboundMessage} and {@code OutboundMessage} convert to and from HTTP/1.1 messages, and {@code AbuseGuard}
 * bounds frames that are legal one by one. Everything belongs to the connection's I/O thread.
 */
package org.freshet.handler.codec.http2;
