/**
 * WebSocket: RFC 6455 and the drafts in use before it, for servers and clients.
 *
 * <p>On a server, add {@link org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler} after an
 * {@link org.freshet.handler.codec.http.HttpServerCodec}. On a client, add
 * {@link org.freshet.handler.codec.http.websocketx.WebSocketClientProtocolHandler} after an
 * {@link org.freshet.handler.codec.http.HttpClientCodec}. To handle handshakes yourself, use
 * {@link org.freshet.handler.codec.http.websocketx.WebSocketServerHandshakerFactory} and
 * {@link org.freshet.handler.codec.http.websocketx.WebSocketClientHandshakerFactory}.
 *
 * <p>A received message is one {@link org.freshet.handler.codec.http.websocketx.WebSocketFrame}, or several if the peer has
 * sent it in fragments; {@link org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator} joins them. A peer that
 * breaks the rules causes a {@link org.freshet.handler.codec.http.websocketx.WebSocketFailure}, and the connection is closed
 * with its code.
 */
package org.freshet.handler.codec.http.websocketx;
