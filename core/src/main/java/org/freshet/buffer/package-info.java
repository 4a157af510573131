/**
 * Buffers: sequences of bytes with a reader index and a writer index.
 *
 * <p>Start with {@link org.freshet.buffer.ChannelBuffer}, which says what every buffer can do, and
 * {@link org.freshet.buffer.ChannelBuffers}, which makes them. The other types are the kinds of buffer, chosen by
 * {@code ChannelBuffers} and the {@link org.freshet.buffer.ChannelBufferFactory factories}:
 *
 * <ul>
 *   <li>memory of their own: heap (big and little endian), direct and other ByteBuffers, dynamic, empty;
 *   <li>other buffers' memory: sliced, truncated, duplicated, read-only, composite.
 * </ul>
 *
 * <p>Buffers belong to the garbage collector; nothing is released by hand. Unless said otherwise, {@code null} is no legal
 * argument and throws {@link java.lang.NullPointerException}.
 */
package org.freshet.buffer;
