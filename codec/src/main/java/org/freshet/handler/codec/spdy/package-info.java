/**
 * SPDY/3.1, the predecessor of HTTP/2, for trusted peers that still use it. Browsers dropped it in 2016; use HTTP/2 for
 * everything else. None of Freshet's own pipelines contains it: a server accepts SPDY only if you add these handlers.
 *
 * <p>A server's pipeline, where your own handler answers complete requests in order:
 *
 * <pre>{@code
 * pipeline.addLast("frames", new SpdyFrameCodec(SpdyVersion.SPDY_3_1));
 * pipeline.addLast("session", new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
 * pipeline.addLast("http", new SpdyHttpCodec(SpdyVersion.SPDY_3_1, 1 << 20));
 * pipeline.addLast("streams", new SpdyHttpResponseStreamIdHandler());
 * pipeline.addLast("requests", new HttpRequestHandler());
 * }</pre>
 *
 * <p>{@link org.freshet.handler.codec.spdy.SpdyOrHttpChooser} builds that pipeline, or the one for HTTP/1, once TLS has
 * negotiated the protocol by ALPN. A client uses the first three handlers, with {@code false} for the session, and numbers its
 * requests itself (1, 3, 5 and so on) with {@link org.freshet.handler.codec.spdy.SpdyHttpHeaders#setStreamId}.
 */
package org.freshet.handler.codec.spdy;
