package org.freshet.handler.codec.http.websocketx;

/** The versions of the protocol. The drafts are those that some browsers and servers used before the standard. */
public enum WebSocketVersion {
    /** None of the others. */
    UNKNOWN(null),
    /** draft-ietf-hybi-thewebsocketprotocol-00, which is also draft-hixie-thewebsocketprotocol-76. */
    V00("0"),
    /** draft-ietf-hybi-thewebsocketprotocol-07. */
    V07("7"),
    /** draft-ietf-hybi-thewebsocketprotocol-10, whose wire version is 8. */
    V08("8"),
    /** RFC 6455. */
    V13("13");

    private final String headerValue;

    WebSocketVersion(String headerValue) {
        this.headerValue = headerValue;
    }

    /**
     * As in {@code Sec-WebSocket-Version}.
     *
     * @throws IllegalStateException for {@link #UNKNOWN}
     */
    public String toHttpHeaderValue() {
        if (headerValue == null) {
            throw new IllegalStateException("an unknown WebSocket version has no header value");
        }
        return headerValue;
    }
}
