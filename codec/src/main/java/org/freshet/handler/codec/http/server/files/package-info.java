/**
 * Files of a directory as answers. Start with {@link org.freshet.handler.codec.http.server.files.StaticFiles}, which describes what is
 * served and how; {@link org.freshet.handler.codec.http.server.HttpServerPipeline.Builder#files} puts it into a pipeline, or a {@link
 * org.freshet.handler.codec.http.server.files.StaticFileHandler} does anywhere behind a codec.
 */
package org.freshet.handler.codec.http.server.files;
