/**
 * Google Protocol Buffers. {@link org.freshet.handler.codec.protobuf.ProtobufEncoder} turns messages into bytes, and
 * {@link org.freshet.handler.codec.protobuf.ProtobufDecoder} turns them back. Messages do not mark their own end: on a
 * stream, use the {@code Varint32} handlers or a length field. Needs protobuf-java on the class or module path.
 */
package org.freshet.handler.codec.protobuf;
