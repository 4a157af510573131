/**
 * Google Protocol Buffers. Messages are turned into bytes by {@link org.freshet.handler.codec.protobuf.ProtobufEncoder} and
 * back by {@link org.freshet.handler.codec.protobuf.ProtobufDecoder}; since they do not say where they end, the {@code Varint32}
 * handlers (or a length field) mark it on a stream. Needs protobuf-java on the class or module path.
 */
package org.freshet.handler.codec.protobuf;
