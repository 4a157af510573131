package org.freshet.handler.codec.socks;

import java.util.Objects;

/** A message from the server. */
public abstract class SocksResponse extends SocksMessage {
    private final SocksResponseType socksResponseType;

    /** Creates a SOCKS 5 response. */
    protected SocksResponse(SocksResponseType socksResponseType) {
        this(socksResponseType, ProtocolVersion.SOCKS5);
    }

    SocksResponse(SocksResponseType socksResponseType, ProtocolVersion protocolVersion) {
        super(MessageType.RESPONSE, protocolVersion);
        this.socksResponseType = Objects.requireNonNull(socksResponseType, "socksResponseType");
    }

    public SocksResponseType getSocksResponseType() {
        return socksResponseType;
    }

    /** The step of the conversation that a response belongs to. SOCKS 4 has only CMD. */
    public enum SocksResponseType {
        INIT,
        AUTH,
        CMD,
        UNKNOWN
    }
}
