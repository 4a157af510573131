/**
 * HTTP/2 (RFC 9113, RFC 7541, RFC 9218). A stream is a channel, so that handlers made for HTTP/1.1 serve HTTP/2 as they are:
 * {@link org.freshet.handler.codec.http2.HttpServerChooser} speaks both on one port.
 *
 * <p>Within: {@code FrameReader} and {@code FrameWriter} know bytes, {@code Connection} and {@code Stream} know states and
 * windows, {@code InboundMessage} and {@code OutboundMessage} make messages of HTTP/1.1 of them, and {@code AbuseGuard} has the
 * bounds on what is legal one by one. All of it belongs to the connection's I/O thread.
 */
package org.freshet.handler.codec.http2;
