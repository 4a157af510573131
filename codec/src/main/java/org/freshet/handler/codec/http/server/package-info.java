/**
 * What a server of HTTP needs beside the codec, each part usable alone.
 *
 * <p>Start with {@link org.freshet.handler.codec.http.server.HttpServerPipeline}, which puts the parts together. Of these, {@link
 * org.freshet.handler.codec.http.server.HttpErrorResponder} answers what was refused, {@link
 * org.freshet.handler.codec.http.server.LingeringCloseHandler} closes so that the client reads that, {@link
 * org.freshet.handler.codec.http.server.HttpKeepAliveHandler} decides whether to close, {@link
 * org.freshet.handler.codec.http.server.HttpTimeoutHandler} does so on slow clients, and {@link
 * org.freshet.handler.codec.http.server.HttpContinueHandler} answers {@code Expect}.
 *
 * <p>{@link org.freshet.handler.codec.http.server.CorsHandler}
 * answers and marks requests of pages of other origins, {@link org.freshet.handler.codec.http.server.AccessLogHandler}
 * writes a line for each request, and {@link org.freshet.handler.codec.http.server.SelectiveContentCompressor} compresses
 * what is worth it.
 *
 * <p>The package {@code route} has functions from request to response, and a router; {@code files} serves files.
 */
package org.freshet.handler.codec.http.server;
