/**
 * SPDY/3.1, HTTP/2's predecessor, for trusted peers that still speak it. Browsers gave it up in 2016; use HTTP/2 for everything else. No
 * pipeline that Freshet makes contains it: a server speaks it only if you add these handlers.
 *
 * <p>A server's pipeline, with a handler of its own that answers whole requests in their order:
 *
 * <pre>{@code
 * pipeline.addLast("frames", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
 * pipeline.addLast("session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
 * pipeline.addLast("http", new SpdyHttpCodec(SpdyVersion.SPDY_3_1, 1 << 20));
 * pipeline.addLast("streams", new SpdyHttpResponseStreamIdHandler());
 * pipeline.addLast("requests", new HttpRequestHandler());
 * }</pre>
 *
 * <p>{@link org.freshet.handler.codec.spdy.SpdyOrHttpChooser} makes that pipeline, or HTTP/1's, once TLS has agreed on the
 * protocol by ALPN. A client has the first three handlers, {@code false} for the session, and numbers its requests itself: 1, 3,
 * 5 and so on, by {@link org.freshet.handler.codec.spdy.SpdyHttpHeaders#setStreamId}.
 */
package org.freshet.handler.codec.spdy;
