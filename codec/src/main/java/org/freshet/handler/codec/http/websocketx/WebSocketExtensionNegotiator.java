package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.handler.codec.http.HttpLimits;

/**
 * Agrees with the peer on an extension during the handshake (RFC 6455, section 9). One object serves any number of connections,
 * as client and server; any thread may call.
 */
public interface WebSocketExtensionNegotiator {
    /** What a server answers to an offer, and what it does from then on. */
    record Accepted(WebSocketExtensionSpec answer, WebSocketExtension extension) {}

    /** As in {@code Sec-WebSocket-Extensions}. Only offers and answers of this name are given to the other methods. */
    String name();

    /**
     * A server's part: looks at one offer. A client may make several, in the order in which it prefers them; they are asked for
     * until one is accepted.
     *
     * @param limits of the connection
     * @return null declines the offer, also where it is not well-formed
     */
    Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits);

    /** A client's part: what to offer, best first. */
    List<WebSocketExtensionSpec> offers();

    /**
     * A client's part: takes the server's answer.
     *
     * @param limits of the connection
     * @throws WebSocketHandshakeException if it does not answer an offer; the connection is closed
     */
    WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits);
}
