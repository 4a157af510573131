/**
 * zlib, gzip and raw deflate, built on {@code java.util.zip}. {@link org.freshet.handler.codec.compression.ZlibEncoder}
 * and {@link org.freshet.handler.codec.compression.ZlibDecoder} compress a whole connection. The HTTP content codings
 * are in the HTTP package.
 */
package org.freshet.handler.codec.compression;
