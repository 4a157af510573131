package org.freshet.handler.codec.http.websocketx;

/**
 * What an encoder made of a frame, for other connections that encode in the same way.
 *
 * <p>Immutable, so that threads may pass it on without synchronization.
 *
 * @param key equal for connections that would make the same bytes
 * @param bytes never changed
 * @param next made in another way, or null
 */
record EncodedFrame(Object key, byte[] bytes, EncodedFrame next) {}
