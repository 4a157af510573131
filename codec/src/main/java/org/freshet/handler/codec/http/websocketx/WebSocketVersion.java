package org.freshet.handler.codec.http.websocketx;

/** The versions of the protocol: the standard, and the drafts that some browsers and servers used before it. */
public enum WebSocketVersion {
    /** Any other version. */
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
     * The value for {@code Sec-WebSocket-Version}.
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
