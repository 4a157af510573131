package org.freshet.handler.codec.http.websocketx;

import java.util.List;
import org.freshet.handler.codec.http.HttpLimits;

/**
 * Negotiates an extension during the handshake (RFC 6455, section 9). One instance serves any number of connections, as client
 * and server. Any thread may call it.
 */
public interface WebSocketExtensionNegotiator {
    /** An accepted offer: the server's answer, and the extension it uses from then on. */
    record Accepted(WebSocketExtensionSpec answer, WebSocketExtension extension) {}

    /** The name used in {@code Sec-WebSocket-Extensions}. The other methods only see offers and answers with this name. */
    String name();

    /**
     * Server: considers one offer. A client may make several, best first; each is passed to this method until one is accepted.
     *
     * @param limits the limits of the connection
     * @return null declines the offer, including a malformed one
     */
    Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits);

    /** Client: the offers to make, best first. */
    List<WebSocketExtensionSpec> offers();

    /**
     * Client: checks the server's answer and creates the extension.
     *
     * @param limits the limits of the connection
     * @throws WebSocketHandshakeException if the answer matches no offer; the connection is closed
     */
    WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits);
}
