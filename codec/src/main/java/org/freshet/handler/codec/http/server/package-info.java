/**
 * What a server of HTTP needs beside the codec, each part usable alone.
 *
 * <p>Start with {@link org.freshet.handler.codec.http.server.StaticFileHandler}, which serves the files that a {@link
 * org.freshet.handler.codec.http.server.StaticFiles} describes. {@link org.freshet.handler.codec.http.server.CorsHandler}
 * answers and marks requests of pages of other origins, {@link org.freshet.handler.codec.http.server.AccessLogHandler}
 * writes a line for each request, and {@link org.freshet.handler.codec.http.server.SelectiveContentCompressor} compresses
 * what is worth it.
 */
package org.freshet.handler.codec.http.server;
