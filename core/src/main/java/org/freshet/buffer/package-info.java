/**
 * Buffers: sequences of bytes with a reader index and a writer index.
 *
 * <p>Start with {@link org.freshet.buffer.ChannelBuffer}, the contract of every buffer, and
 * {@link org.freshet.buffer.ChannelBuffers}, which creates them. The other types are kinds of buffer, chosen by
 * {@code ChannelBuffers} and the {@link org.freshet.buffer.ChannelBufferFactory factories}:
 *
 * <ul>
 *   <li>with their own memory: heap (big and little endian), direct and other ByteBuffers, dynamic, empty;
 *   <li>views of other buffers: sliced, truncated, duplicated, read-only, composite.
 * </ul>
 *
 * <p>Buffers belong to the garbage collector; you never release them. Unless stated otherwise, passing {@code null}
 * throws {@link java.lang.NullPointerException}.
 */
package org.freshet.buffer;
