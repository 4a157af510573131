package org.freshet.handler.codec.socks;

import java.util.Objects;

/** What a client sends. */
public abstract class SocksRequest extends SocksMessage {
    private final SocksRequestType socksRequestType;

    /** A request of SOCKS 5. */
    protected SocksRequest(SocksRequestType socksRequestType) {
        this(socksRequestType, ProtocolVersion.SOCKS5);
    }

    SocksRequest(SocksRequestType socksRequestType, ProtocolVersion protocolVersion) {
        super(MessageType.REQUEST, protocolVersion);
        this.socksRequestType = Objects.requireNonNull(socksRequestType, "socksRequestType");
    }

    public SocksRequestType getSocksRequestType() {
        return socksRequestType;
    }

    /** Which step of the conversation a request belongs to. That of SOCKS 4 has one, CMD. */
    public enum SocksRequestType {
        INIT,
        AUTH,
        CMD,
        UNKNOWN
    }
}
