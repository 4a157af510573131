/**
 * Forms: {@code multipart/form-data} (RFC 7578) and {@code application/x-www-form-urlencoded}. Read them with
 * {@link org.freshet.handler.codec.http.multipart.HttpPostRequestDecoder}, and write them with
 * {@link org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder}.
 *
 * <p>An {@link org.freshet.handler.codec.http.multipart.HttpDataFactory} decides where the content of a field or file
 * is kept: in memory, in a temporary file, or in memory until it becomes too large.
 * {@link org.freshet.handler.codec.http.HttpLimits} limits the number of fields, their names, heads and sizes.
 *
 * <p>Temporary files can be read by their owner only. They are deleted by {@code delete()} and {@code cleanFiles()},
 * when the object that represents them is garbage collected, and at the latest when the JVM exits.
 */
package org.freshet.handler.codec.http.multipart;
