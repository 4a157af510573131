/**
 * Forms: {@code multipart/form-data} (RFC 7578) and {@code application/x-www-form-urlencoded}, read by {@link
 * org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder} and written by {@link
 * org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder}.
 *
 * <p>Where the content of a field or file is kept is decided by an {@link
 * org.freshet.handler.codec.http.multipart.HttpDataFactory}: in memory, in a temporary file, or in memory until it is too
 * large for that. {@link org.freshet.handler.codec.http.HttpLimits} bounds the number of fields, their names, heads and sizes.
 *
 * <p>Temporary files can be read by their owner alone. They are deleted by {@code delete()}, by {@code cleanFiles()}, when
 * the object that stands for them is garbage, and at the latest when the JVM exits.
 */
package org.freshet.handler.codec.http.multipart;
