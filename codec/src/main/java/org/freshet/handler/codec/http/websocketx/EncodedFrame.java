package org.freshet.handler.codec.http.websocketx;

/**
 * The encoded form of a frame, reused by other connections that encode the same way.
 *
 * <p>Immutable, so threads may share it without synchronization.
 *
 * @param key equal for connections that would produce the same bytes
 * @param bytes never modified
 * @param next another encoding of the same frame, or null
 */
record EncodedFrame(Object key, byte[] bytes, EncodedFrame next) {}
