/**
 * HTTP/1.1: messages, headers, and the codecs that turn bytes into messages and back. A server starts with {@code
 * HttpServerCodec}, a client with {@code HttpClientCodec}; {@link
 * org.freshet.handler.codec.http.HttpLimits} says how much of what a peer sends is accepted, and how strictly.
 *
 * <p>A message whose body is short and of known length is one {@link org.freshet.handler.codec.http.HttpMessage}. Any other
 * body follows its message as {@link org.freshet.handler.codec.http.HttpChunk}s, of which the last says so.
 *
 * <p>What breaks the rules of HTTP is an {@link org.freshet.handler.codec.http.HttpFailure}, which carries the status to
 * answer. Nothing that the peer sent behind it is read.
 */
package org.freshet.handler.codec.http;
