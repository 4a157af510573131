/**
 * zlib, gzip and raw deflate, on {@code java.util.zip}. {@link org.freshet.handler.codec.compression.ZlibEncoder} and {@link
 * org.freshet.handler.codec.compression.ZlibDecoder} compress a whole connection; HTTP's content codings are in the HTTP
 * package.
 */
package org.freshet.handler.codec.compression;
