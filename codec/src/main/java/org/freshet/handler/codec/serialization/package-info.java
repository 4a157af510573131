/**
 * Java serialization on the wire. {@link org.freshet.handler.codec.serialization.ObjectEncoder} and
 * {@link org.freshet.handler.codec.serialization.ObjectDecoder} use the compact format of Netty 3, byte for byte.
 *
 * <p>The peer chooses the classes that a decoder instantiates, so every decoder here has a class filter; see
 * {@link org.freshet.handler.codec.serialization.ObjectDecoder}.
 */
package org.freshet.handler.codec.serialization;
