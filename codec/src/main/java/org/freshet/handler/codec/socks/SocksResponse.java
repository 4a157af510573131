package org.freshet.handler.codec.socks;

import java.util.Objects;

/** What a server sends. */
public abstract class SocksResponse extends SocksMessage {
    private final SocksResponseType socksResponseType;

    /** A response of SOCKS 5. */
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

    /** Which step of the conversation a response belongs to. That of SOCKS 4 has one, CMD. */
    public enum SocksResponseType {
        INIT,
        AUTH,
        CMD,
        UNKNOWN
    }
}
