package org.freshet.handler.codec.socks;

import java.util.Objects;

/** A message from the client. */
public abstract class SocksRequest extends SocksMessage {
    private final SocksRequestType socksRequestType;

    /** Creates a SOCKS 5 request. */
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

    /** The step of the conversation that a request belongs to. SOCKS 4 has only CMD. */
    public enum SocksRequestType {
        INIT,
        AUTH,
        CMD,
        UNKNOWN
    }
}
