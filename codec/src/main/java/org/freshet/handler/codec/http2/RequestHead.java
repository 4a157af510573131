package org.freshet.handler.codec.http2;

import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;

/**
 * The request that came last, and what its fields say to the connection. One for each connection, because one for each request would be a
 * twentieth of what a request takes of the heap. Belongs to the thread of its connection.
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

    /** Lets go of the request, whose stream may end long before the next one comes. */
    void clear() {
        set(null, -1, null, null, null);
    }

    HttpRequest message() {
        return message;
    }

    /** -1 if the fields don't say. */
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

    /** Whether it asks for a protocol that this side doesn't know. */
    boolean asksForOtherProtocol() {
        return protocol != null && !asksForWebSocket();
    }

    boolean asksForTunnel() {
        return asksForWebSocket() || HttpMethod.CONNECT.equals(message.getMethod());
    }
}
