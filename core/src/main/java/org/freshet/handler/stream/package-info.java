/**
 * Sends large content piece by piece, as fast as the peer accepts it: add a
 * {@link org.freshet.handler.stream.ChunkedWriteHandler} and write a {@link org.freshet.handler.stream.ChunkedInput},
 * such as a {@link org.freshet.handler.stream.ChunkedFile}.
 */
package org.freshet.handler.stream;
