/**
 * What an HTTP server needs in addition to the codec. Each part can be used separately.
 *
 * <p>Start with {@link org.freshet.handler.codec.http.server.HttpServerPipeline}, which combines the parts.
 * {@link org.freshet.handler.codec.http.server.HttpErrorResponder} answers refused requests,
 * {@link org.freshet.handler.codec.http.server.LingeringCloseHandler} closes so that the client can read the response,
 * {@link org.freshet.handler.codec.http.server.HttpKeepAliveHandler} decides when to close,
 * {@link org.freshet.handler.codec.http.server.HttpTimeoutHandler} limits slow clients, and
 * {@link org.freshet.handler.codec.http.server.HttpContinueHandler} answers {@code Expect}.
 *
 * <p>{@link org.freshet.handler.codec.http.server.CorsHandler} handles requests from pages of other origins,
 * {@link org.freshet.handler.codec.http.server.AccessLogHandler} writes a line for each request, and
 * {@link org.freshet.handler.codec.http.server.SelectiveContentCompressor} compresses responses that are worth it.
 *
 * <p>The package {@code route} has functions from request to response, and a router; {@code files} serves files.
 */
package org.freshet.handler.codec.http.server;
