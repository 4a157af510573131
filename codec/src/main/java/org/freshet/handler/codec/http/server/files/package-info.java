/**
 * Serves the files of a directory. Start with {@link org.freshet.handler.codec.http.server.files.StaticFiles}, which
 * configures what is served and how. {@link org.freshet.handler.codec.http.server.HttpServerPipeline.Builder#files}
 * adds it to a pipeline. Or put a {@link org.freshet.handler.codec.http.server.files.StaticFileHandler} anywhere after
 * a codec.
 */
package org.freshet.handler.codec.http.server.files;
