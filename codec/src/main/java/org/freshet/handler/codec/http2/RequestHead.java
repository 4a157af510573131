package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;

/**
 * The latest request, with the fields that concern the connection. One instance per connection: one per request would be a
 * twentieth of the heap that a request takes. Belongs to its connection's thread.
 */
final class RequestHead {
    private HttpRequest message;
    private long contentLength;
    private String scheme;
    private String protocol;
    private String priority;

    void set(HttpRequest message, long contentLength, String scheme, String protocol, String priority) {
        this.message = message;
        this.contentLength = contentLength;
        this.scheme = scheme;
        this.protocol = protocol;
        this.priority = priority;
    }

    /** Drops the request, whose stream may end long before the next one arrives. */
    void clear() {
        set(null, -1, null, null, null);
    }

    HttpRequest message() {
        return message;
    }

    /** -1 if there is no content-length. */
    long contentLength() {
        return contentLength;
    }

    /** Null for a CONNECT. */
    String scheme() {
        return scheme;
    }

    /** The value of the Priority field, or null. */
    String priority() {
        return priority;
    }

    boolean asksForWebSocket() {
        return ExtendedConnect.WEBSOCKET.equals(protocol);
    }

    /** Whether it asks for a protocol unknown to this side. */
    boolean asksForOtherProtocol() {
        return protocol != null && !asksForWebSocket();
    }

    boolean asksForTunnel() {
        return asksForWebSocket() || HttpMethod.CONNECT.equals(message.getMethod());
    }
}
