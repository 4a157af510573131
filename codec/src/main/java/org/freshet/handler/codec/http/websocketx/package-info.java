/**
 * WebSocket: RFC 6455 and the drafts that were in use before it, for servers and clients.
 *
 * <p>A server starts with {@link org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler} behind an {@link
 * org.freshet.handler.codec.http.HttpServerCodec}, a client with {@link
 * org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler} behind an {@link
 * org.freshet.handler.codec.http.HttpClientCodec}. For those who treat handshakes themselves, {@link
 * org.freshet.handler.codec.http.websocketx.WebSocketServerHandshakerFactory} and {@link
 * org.freshet.handler.codec.http.websocketx.WebSocketClientHandshakerFactory} make what turns a connection of HTTP into one of
 * WebSocket.
 *
 * <p>A received message is one {@link org.freshet.handler.codec.http.websocketx.WebSocketFrame}, or several if the peer has sent
 * it in fragments; {@link org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator} joins them. What breaks the rules is
 * a {@link org.freshet.handler.codec.http.websocketx.WebSocketFailure}, and the connection is closed with its code.
 */
package org.freshet.handler.codec.http.websocketx;
