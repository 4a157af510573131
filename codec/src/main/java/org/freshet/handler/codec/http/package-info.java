/**
 * HTTP/1.1: messages, headers, and the codecs that turn bytes into messages and back. Start a server with
 * {@code HttpServerCodec}, and a client with {@code HttpClientCodec}. {@link org.freshet.handler.codec.http.HttpLimits}
 * sets how much is accepted from a peer, and how strictly it is read.
 *
 * <p>A message whose body is short and of known length is one {@link org.freshet.handler.codec.http.HttpMessage}. Any
 * other body follows its message as {@link org.freshet.handler.codec.http.HttpChunk}s, ending with one that is marked
 * as last.
 *
 * <p>A message that breaks the rules of HTTP causes an {@link org.freshet.handler.codec.http.HttpFailure}, which
 * carries the status to answer with. Nothing that the peer sent after it is read.
 */
package org.freshet.handler.codec.http;
